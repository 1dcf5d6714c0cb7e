//! What a call gave: the answer on stdout, pictures and sounds in files, a tool error as ours.

use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use console::{Term, style};
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Map, Value, json};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::files;
use crate::output::{self, Format, printable};

/// The reason of a tool error for who comes while another client holds the nodeset.
const HELD: &str = "mcp_exclusive";

/// Shows a result; `names` are those of its files.
pub(crate) fn show(
    result: &CallToolResult,
    names: &[String],
    folder: Option<&Path>,
    format: Format,
) -> Result<(), Failure> {
    match format {
        Format::Json | Format::Yaml => show_document(result, names, folder, format),
        _ => show_text(result, names, folder.unwrap_or(Path::new(""))),
    }
}

fn show_text(result: &CallToolResult, names: &[String], folder: &Path) -> Result<(), Failure> {
    let mut names = names.iter();
    let mut saved = Vec::new();
    for block in &result.content {
        match block {
            ContentBlock::Image(image) => saved.push(save(&image.data, &image.mime_type, names.next(), folder)?),
            ContentBlock::Audio(audio) => saved.push(save(&audio.data, &audio.mime_type, names.next(), folder)?),
            _ => {}
        }
    }
    let shown = texts(result);
    if !shown.is_empty() {
        output::answer_line(&printable(&shown.join("\n")))?;
    }
    for path in saved {
        output::note(&format!("{} {}", style("saved").green().for_stderr(), printable(&path.display().to_string())));
    }
    Ok(())
}

/// What is read of a result: its text. The structured form stands in for a text that is no document, as one that is cut;
/// else the text says the same, and has the integers whole that the readers of structured content round.
fn texts(result: &CallToolResult) -> Vec<String> {
    let documents: Vec<Option<Value>> = result.content.iter().map(document).collect();
    let structured = result.structured_content.as_ref().filter(|_| documents.iter().all(Option::is_none));
    let mut shown: Vec<String> = structured.map(value).into_iter().collect();
    for (block, document) in result.content.iter().zip(&documents) {
        match (block, document) {
            (ContentBlock::Text(_), _) if structured.is_some() => {}
            // As it came, unless it has to be laid out.
            (ContentBlock::Text(text), Some(json)) if Term::stdout().is_term() || text.text.contains('\n') => {
                shown.push(value(json));
            }
            (ContentBlock::Text(text), _) => shown.push(text.text.clone()),
            (ContentBlock::Image(_) | ContentBlock::Audio(_), _) => {}
            (other, _) => shown.push(serde_json::to_value(other).map(|other| value(&other)).unwrap_or_default()),
        }
    }
    shown
}

/// The document that a text is.
fn document(block: &ContentBlock) -> Option<Value> {
    let ContentBlock::Text(text) = block else { return None };
    serde_json::from_str(&text.text).ok().filter(|json: &Value| json.is_object() || json.is_array())
}

/// Laid out for a reader, on one line for a program.
fn value(value: &Value) -> String {
    if Term::stdout().is_term() { format!("{value:#}") } else { value.to_string() }
}

/// The result as the server gave it; with `--output`, pictures and sounds go to files and their blocks name them.
fn show_document(
    result: &CallToolResult,
    names: &[String],
    folder: Option<&Path>,
    format: Format,
) -> Result<(), Failure> {
    let mut document = serde_json::to_value(result)
        .map_err(|error| Failure::new(Exit::Internal, "internal", format!("the result cannot be written: {error}")))?;
    if let Some(folder) = folder {
        let mut names = names.iter();
        let blocks = document.get_mut("content").and_then(Value::as_array_mut).into_iter().flatten();
        for (block, written) in result.content.iter().zip(blocks) {
            let (kind, data, mime_type) = match block {
                ContentBlock::Image(image) => ("image", &image.data, &image.mime_type),
                ContentBlock::Audio(audio) => ("audio", &audio.data, &audio.mime_type),
                _ => continue,
            };
            let path = save(data, mime_type, names.next(), folder)?;
            *written = json!({"type": kind, "mimeType": mime_type, "path": path});
        }
    }
    output::document(format, &document.to_string())
}

fn save(data: &str, mime_type: &str, name: Option<&String>, folder: &Path) -> Result<PathBuf, Failure> {
    let bytes = STANDARD.decode(data).map_err(|error| {
        Failure::new(Exit::Unreachable, "protocol", format!("a file of the result is not base64: {error}"))
    })?;
    let extension = match mime_type {
        "image/png" => "png",
        "image/jpeg" => "jpg",
        "image/gif" => "gif",
        "image/webp" => "webp",
        "image/svg+xml" => "svg",
        "audio/wav" | "audio/x-wav" => "wav",
        "audio/mpeg" => "mp3",
        "audio/ogg" => "ogg",
        "audio/flac" => "flac",
        _ => "bin",
    };
    if !folder.as_os_str().is_empty() {
        std::fs::create_dir_all(folder).map_err(|error| Failure::file(folder, error))?;
    }
    let path = folder.join(format!("{}.{extension}", name.map_or("file", String::as_str)));
    files::write(&path, &bytes).map_err(|error| Failure::file(&path, error))?;
    Ok(path)
}

/// The text of a result that is plain text, as live applications answer; none where it is an object of ours.
pub(crate) fn plain_text(result: &CallToolResult) -> Option<String> {
    let texts = result.content.iter().filter_map(|block| match block {
        ContentBlock::Text(text) => Some(text.text.as_str()),
        _ => None,
    });
    let text = texts.collect::<Vec<_>>().join("\n");
    (!text.trim().is_empty() && serde_json::from_str::<Map<String, Value>>(&text).is_err()).then_some(text)
}

/// A result that says it is an error; `at` names the target as on the command line. Our servers give an object with a sentence and its particulars, others a text.
pub(crate) fn tool_error(tool: &str, at: &str, result: &CallToolResult) -> Failure {
    let texts = result.content.iter().filter_map(|block| match block {
        ContentBlock::Text(text) => Some(text.text.as_str()),
        _ => None,
    });
    let text = texts.collect::<Vec<_>>().join("\n");
    match serde_json::from_str(&text) {
        Ok(Value::Object(members)) if members.get("error").is_some_and(Value::is_string) => ours(tool, at, members),
        _ if text.trim().is_empty() => {
            Failure::new(Exit::Refused, "tool_error", format!("`{tool}` failed and does not say why"))
        }
        _ => Failure::new(Exit::Refused, "tool_error", text.trim().to_owned()),
    }
    .detail("tool", tool)
}

fn ours(tool: &str, at: &str, mut members: Map<String, Value>) -> Failure {
    let is_held = members.get("data").and_then(|data| data.get("reason")).is_some_and(|reason| reason == HELD);
    let mut take = |key: &str| members.remove(key);
    let text = |value: Option<Value>| value.and_then(|value| value.as_str().map(str::to_owned));
    let sentence = text(take("error")).unwrap_or_default();
    let kind = text(take("type")).unwrap_or_else(|| "tool_error".to_owned());
    let exit = if is_held { Exit::Conflict } else { Exit::Refused };
    let mut failure = Failure::new(exit, kind, sentence.trim_end_matches('.'));
    // The first finding is the sentence.
    let findings = members.get("errors").and_then(Value::as_array).into_iter().flatten().skip(1);
    let others = findings.filter_map(|finding| finding.get("detail").and_then(Value::as_str));
    failure = failure.and_also(others);
    let word = |key: &str| members.get(key).and_then(Value::as_str);
    // The sentence names what is near already, where it can.
    if let Some(near) = word("nearest").filter(|near| !sentence.contains(&format!("`{near}`"))) {
        failure = failure.hint(format!("there is `{near}`"));
    } else if let (None, Some(known)) = (word("nearest"), members.get("known").and_then(Value::as_array)) {
        let known: Vec<&str> = known.iter().filter_map(Value::as_str).collect();
        failure = failure.hint(format!("known: {}", known.join(", ")));
    }
    if members.get("retryable") == Some(&Value::Bool(true)) {
        failure = failure.hint("the same call may succeed later");
    }
    if word("stage") == Some("schema_validation") {
        failure = failure.hint(format!("its arguments: codegen-cli inspect {at} --node {}", crate::tools::short(tool)));
    }
    members.into_iter().fold(failure, |failure, (key, value)| failure.detail(&key, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `live.md` 10: the text is what is printed, whose integers are whole.
    #[test]
    fn the_text_is_shown_before_its_structured_twin() {
        let of = |text: &str| {
            let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
            result.structured_content = Some(json!({ "large": 1.8e19 }));
            texts(&result).join("\n")
        };
        assert!(of(r#"{"large":18446744073709551615}"#).contains("18446744073709551615"));
        // A text that is cut is no document; the other form is whole.
        assert!(of(r#"{"large":1844…"#).contains("\"large\""), "{}", of(r#"{"large":1844…"#));
        assert!(!of(r#"{"large":1844…"#).contains('…'));
    }

    #[test]
    fn a_tool_error_of_ours_keeps_its_particulars() {
        let text = r#"{"error":"unknown field","type":"unknown_field","stage":"schema_validation","nearest":"image"}"#;
        let failure =
            tool_error("vision__segment", "-p vision", &CallToolResult::error(vec![ContentBlock::text(text)]));
        assert_eq!(failure.exit(), Exit::Refused);
        let json = failure.json();
        assert_eq!(json["type"], "unknown_field");
        assert_eq!(json["nearest"], "image");
        assert!(json["hint"].as_str().unwrap().contains("there is `image`"));
    }

    #[test]
    fn held_by_another_client_is_told_by_the_exit_code_in_both_eras() {
        let text = r#"{"error":"`desk` is held","type":"lease_held","stage":"busy","retryable":true,"data":{"reason":"mcp_exclusive"}}"#;
        let failure = tool_error("desk__acquire", "", &CallToolResult::error(vec![ContentBlock::text(text)]));
        assert_eq!(failure.exit(), Exit::Conflict);
        assert_eq!(failure.json()["data"]["reason"], "mcp_exclusive");
    }

    #[test]
    fn every_finding_is_shown() {
        let text = r#"{"error":"`a` is missing","type":"missing_field","errors":[{"detail":"`a` is missing"},{"detail":"`/b` is out of range"}]}"#;
        let failure = tool_error("t", "", &CallToolResult::error(vec![ContentBlock::text(text)]));
        assert!(failure.text().contains("also: `/b` is out of range"), "{}", failure.text());
    }

    #[test]
    fn a_tool_error_of_others_is_their_text() {
        let failure = tool_error("t", "", &CallToolResult::error(vec![ContentBlock::text("it broke")]));
        assert_eq!(failure.json()["error"], "it broke");
    }
}
