//! A reply as a tool result (`mcp.md` 3): pictures as image blocks, the rest as one JSON text and its structured twin,
//! all within what clients take.

mod dressed;
mod pictures;
mod reduced;
mod text;

use std::borrow::Cow;
use std::collections::BTreeMap;

use rmcp::model::{CallToolResult, ContentBlock, MetaObject, ResultType};
use serde_json::Value as Json;

pub(super) use self::dressed::{Dressed, Outputs};
use self::pictures::{CEILINGS, Picture, Shown, Source};
use self::reduced::Reduced;
use crate::Error;
use crate::call::{Reply, Stage, shown, unsaid};
use crate::catalog::Entry;
use crate::decl::OutputShape;
use crate::serve::error::members;
use crate::serve::kept::{Document, Kept, LIFETIME_IN_WORDS};
use crate::wire::{Value, WireError};

/// Where what a result leaves out is kept, and for whom.
#[derive(Clone, Copy)]
pub(super) struct Keeper<'a> {
    pub(super) kept: &'a Kept,
    pub(super) principal: Option<&'a str>,
}

impl Keeper<'_> {
    /// Keeps a document; none where it is too large for that.
    fn keep(self, document: Document) -> Option<String> {
        self.kept.keep(document, self.principal)
    }

    /// A text within what clients take; `beside` says where else all of it stands.
    fn bounded(self, text: String, media_type: &'static str, beside: &str) -> String {
        if !text::is_too_long(&text) {
            return text;
        }
        let text: std::sync::Arc<str> = text.into();
        let rest = match self.keep(Document::Text(text.clone(), media_type)) {
            Some(address) => format!("{beside}; the resource {address} has all for {LIFETIME_IN_WORDS}"),
            None => beside.to_owned(),
        };
        text::cut(&text, &rest)
    }
}

/// The result of a call whose node answered.
pub(super) fn success(entry: &Entry, reply: Reply, keeper: Keeper<'_>) -> Result<Dressed, Error> {
    match entry.shape {
        OutputShape::Ports => ports(entry, reply, keeper),
        OutputShape::Content => as_it_stands(reply, keeper).map(Dressed::Whole),
        OutputShape::FireList => {
            let detail = "the tool answered with a fire list, which tells a graph engine what to run next; \
                          over MCP there is none, so call the functions that it would have run";
            Err(Error::at(Stage::AdapterExecution, "fire_list", detail))
        }
    }
}

fn ports(entry: &Entry, reply: Reply, keeper: Keeper<'_>) -> Result<Dressed, Error> {
    let shows_images = entry.shows_images();
    let mut reduced = Reduced::new(keeper, shows_images);
    let mut rest = Vec::with_capacity(entry.outputs.len());
    for (port, value) in entry.outputs.iter().zip(reply.into_values()) {
        let failed = |error: WireError| unsaid(error.under(&port.name).under("outputs"));
        if let Some(json) = reduced.port(port, value).map_err(failed)? {
            rest.push((port.name.clone(), json));
        }
    }
    let mut content = Vec::new();
    let mut notes = Vec::new();
    for Shown { png, note } in pictures::fitted(&reduced.pictures, CEILINGS)? {
        content.push(ContentBlock::image(pictures::base64(&png), "image/png"));
        notes.extend(note);
    }
    let rest = Outputs::new(rest);
    if content.is_empty() || !rest.is_empty() {
        let beside = if shows_images { "" } else { "; structuredContent has all" };
        content.push(ContentBlock::text(keeper.bounded(rest.text().to_owned(), "application/json", beside)));
    }
    content.extend(note(&notes, keeper));
    // Clients that find structured content show nothing else, and an image is what the caller wants to see.
    Ok(Dressed::Ports(content, (!shows_images).then_some(rest)))
}

/// What was done to the pictures, in a block of its own: the JSON beside it stays JSON.
fn note(notes: &[String], keeper: Keeper<'_>) -> Option<ContentBlock> {
    (!notes.is_empty()).then(|| {
        let text = format!("{}: clients take no larger ones", notes.join("; "));
        ContentBlock::text(keeper.bounded(text, "text/plain", ""))
    })
}

/// Content that the node has put together itself: only what no client would take is changed.
fn as_it_stands(reply: Reply, keeper: Keeper<'_>) -> Result<CallToolResult, Error> {
    let result = reply.into_values().pop().unwrap_or_default();
    let (at, pictures): (Vec<usize>, Vec<Picture>) = blocks(&result).filter_map(picture).unzip();
    let mut shown: BTreeMap<usize, Shown> = at.into_iter().zip(pictures::fitted(&pictures, CEILINGS)?).collect();
    let result = result.to_json().map_err(|error| unsaid(error.under("content").under("outputs")))?;
    // The node builds it block by block, so this is out of reach.
    let mut result: CallToolResult = serde_json::from_value(result).map_err(|error| {
        Error::at(Stage::AdapterExecution, "bad_output", "the content is none of MCP's").because(error)
    })?;
    // The newer era has it on every result; rmcp takes it off for the older one.
    result.result_type = Some(ResultType::COMPLETE);
    let mut notes = Vec::new();
    for (at, block) in result.content.iter_mut().enumerate() {
        match block {
            ContentBlock::Text(text) if text::is_too_long(&text.text) => {
                text.text = keeper.bounded(std::mem::take(&mut text.text), "text/plain", "");
            }
            ContentBlock::Image(image) => {
                if let Some(Shown { png, note: Some(note) }) = shown.remove(&at) {
                    (image.data, image.mime_type) = (pictures::base64(&png), "image/png".to_owned());
                    notes.push(note);
                }
            }
            _ => {}
        }
    }
    result.content.extend(note(&notes, keeper));
    Ok(result)
}

/// The blocks of content with their places.
fn blocks(content: &Value) -> impl Iterator<Item = (usize, &Value)> {
    content.get("content").and_then(Value::as_list).unwrap_or_default().iter().enumerate()
}

fn picture((at, block): (usize, &Value)) -> Option<(usize, Picture)> {
    let is_image = block.get("type").and_then(Value::as_text) == Some("image");
    let file = block.get("data").filter(|_| is_image)?.as_bytes()?.clone();
    let place = format!("content/content/{at}");
    Some((at, Picture { place, source: Source::File(file), full_size: false }))
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

/// The sentence for a tool that is not there.
pub(super) fn unknown_tool(name: &str, nearest: Option<&str>) -> Cow<'static, str> {
    let name = shown(name);
    match nearest {
        Some(nearest) => format!("Unknown tool: {name}; did you mean {nearest}?").into(),
        None => format!("Unknown tool: {name}").into(),
    }
}
