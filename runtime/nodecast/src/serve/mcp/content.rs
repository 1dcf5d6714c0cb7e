//! A reply as a tool result (`mcp.md` 3): pictures as image blocks, the rest as one JSON text and its structured twin.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rmcp::model::{CallToolResult, ContentBlock, MetaObject, ResultType};
use serde_json::{Map, Value as Json, json};

use super::super::error::members;
use crate::Error;
use crate::call::{Reply, Stage, unsaid};
use crate::catalog::{Entry, Field};
use crate::decl::OutputShape;
use crate::wire::{Image, Value, WireError};

/// Longest text block, in UTF-16 units: clients cut or refuse longer ones.
const MAX_TEXT: usize = 40_000;

/// The result of a call whose node answered.
pub(super) fn success(entry: &Entry, reply: Reply) -> Result<CallToolResult, Error> {
    match entry.shape {
        OutputShape::Ports => ports(entry, reply),
        OutputShape::Content => as_it_stands(reply),
        OutputShape::FireList => {
            let detail = "the tool answered with a fire list, which tells a graph engine what to run next; \
                          over MCP there is none, so call the functions that it would have run";
            Err(Error::at(Stage::AdapterExecution, "fire_list", detail))
        }
    }
}

/// Content that the node has put together itself.
fn as_it_stands(reply: Reply) -> Result<CallToolResult, Error> {
    let result = reply.into_values().pop().unwrap_or_default();
    let result = result.to_json().map_err(|error| unsaid(error.under("content").under("outputs")))?;
    // The node builds it block by block, so this is out of reach.
    let mut result: CallToolResult = serde_json::from_value(result).map_err(|error| {
        Error::at(Stage::AdapterExecution, "bad_output", "the content is none of MCP's").because(error)
    })?;
    // The newer era has it on every result; rmcp takes it off for the older one.
    result.result_type = Some(ResultType::COMPLETE);
    Ok(result)
}

fn ports(entry: &Entry, reply: Reply) -> Result<CallToolResult, Error> {
    let mut images = Vec::new();
    let mut rest = Map::new();
    for (port, value) in entry.outputs.iter().zip(reply.into_values()) {
        let failed = |error: WireError| unsaid(error.under(&port.name).under("outputs"));
        match value {
            Value::Image(image) => images.push(block(&image).map_err(failed)?),
            Value::List(items) if &*port.wire_type == "LIST[IMAGE]" => {
                for (index, item) in items.iter().enumerate() {
                    let Value::Image(image) = item else {
                        let error = WireError::new("bad_output", "an element of the list is no image");
                        return Err(failed(error.under(index)));
                    };
                    images.push(block(image).map_err(|error| failed(error.under(index)))?);
                }
            }
            value => {
                rest.insert(port.name.clone().into_owned(), stubbed(value).map_err(failed)?);
            }
        }
    }
    let mut content = images;
    let shows_images = !content.is_empty() || entry.outputs.iter().any(Field::shows_images);
    let rest = Json::Object(rest);
    if !shows_images || rest.as_object().is_some_and(|rest| !rest.is_empty()) {
        let whole = if shows_images { "" } else { "; structuredContent has all" };
        content.push(ContentBlock::text(bounded(rest.to_string(), whole)));
    }
    let mut result = CallToolResult::success(content);
    // Clients that find structured content show nothing else, and an image is what the caller wants to see.
    if !shows_images {
        result.structured_content = Some(rest);
    }
    Ok(result)
}

/// The result of a call that failed: one error object, and the stage where a program finds it.
pub(super) fn failure(error: &Error) -> CallToolResult {
    failure_with(error, None)
}

/// The same with what a program can act on.
pub(super) fn failure_with(error: &Error, data: Option<Json>) -> CallToolResult {
    let mut members = members("error", error);
    members.extend(data.map(|data| ("data".to_owned(), data)));
    let mut result = CallToolResult::error(vec![ContentBlock::text(Json::Object(members).to_string())]);
    let mut meta = MetaObject::default();
    meta.0.insert("nodecast/stage".to_owned(), error.stage().as_str().into());
    result.meta = Some(meta);
    result
}

fn block(image: &Image) -> Result<ContentBlock, WireError> {
    Ok(ContentBlock::image(STANDARD.encode(&*image.to_png()?), "image/png"))
}

/// The JSON of a value, every array in it reduced to what it is.
fn stubbed(value: Value) -> Result<Json, WireError> {
    match value {
        Value::Array(array) => Ok(json!({
            "__ndarray__": "<omitted>",
            "dtype": array.dtype().name(),
            "shape": array.shape(),
        })),
        Value::List(items) => items
            .into_iter()
            .enumerate()
            .map(|(index, item)| stubbed(item).map_err(|error| error.under(index)))
            .collect(),
        // Leaves and odd keys have one JSON form, which is the codec's to say.
        Value::Map(map) if map.iter().all(|(key, _)| matches!(key, Value::Text(_))) => {
            let mut object = Map::new();
            for (key, value) in map {
                let Value::Text(key) = key else { continue };
                let value = stubbed(value).map_err(|error| error.under(&key))?;
                object.insert(key, value);
            }
            Ok(Json::Object(object))
        }
        value => value.to_json(),
    }
}

/// Head and tail of a text that is too long, and between them how much is left out.
fn bounded(text: String, whole: &str) -> String {
    let units = text.encode_utf16().count();
    if units <= MAX_TEXT {
        return text;
    }
    let mark = format!("\n[more than {} of {units} characters left out{whole}]\n", units - MAX_TEXT);
    let half = MAX_TEXT.saturating_sub(mark.len()) / 2;
    let (head, tail) = (prefix(text.chars(), half), prefix(text.chars().rev(), half));
    let (head, tail) = (text.get(..head).unwrap_or_default(), text.get(text.len() - tail..).unwrap_or_default());
    format!("{head}{mark}{tail}")
}

/// The bytes of as many characters as have `units` UTF-16 units.
fn prefix(chars: impl Iterator<Item = char>, units: usize) -> usize {
    let mut left = units;
    chars
        .map_while(|char| {
            left = left.checked_sub(char.len_utf16())?;
            Some(char.len_utf8())
        })
        .sum()
}

/// The sentence for a tool that is not there.
pub(super) fn unknown_tool(name: &str, nearest: Option<&str>) -> Cow<'static, str> {
    match nearest {
        Some(nearest) => format!("Unknown tool: {name}; did you mean {nearest}?").into(),
        None => format!("Unknown tool: {name}").into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn w7_text_is_bounded() {
        assert_eq!(bounded("short".to_owned(), ""), "short");
        let long = "ä😀".repeat(100_000);
        let cut = bounded(long, "; elsewhere");
        assert!(cut.encode_utf16().count() <= MAX_TEXT);
        assert!(
            cut.starts_with("ä😀")
                && cut.ends_with("😀")
                && cut.contains("260000 of 300000 characters left out; elsewhere")
        );
    }
}
