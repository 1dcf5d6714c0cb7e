//! The methods that we answer, which era has them, and what is wrong with parameters that rmcp could not read.
//!
//! rmcp takes a request for one of an unknown method when its parameters do not fit, and keeps the reason to itself.

use std::fmt::Write as _;

use rmcp::model::{
    CallToolRequestParams, CancelTaskParams, CompleteRequestParams, ErrorCode, ErrorData, GetPromptRequestParams,
    GetTaskParams, InitializeRequestParams, PaginatedRequestParams, ReadResourceRequestParams, SetLevelRequestParams,
    SubscribeRequestParams, SubscriptionsListenRequestParams, UnsubscribeRequestParams, UpdateTaskParams,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json, json};
use serde_path_to_error::{Path, Segment};

use super::envelope::Kind;
use crate::call::{escape, shown_up_to};
use crate::wire::Value;

/// Methods that the newer era does not have, some of which rmcp answers as if it had.
const OLDER: [&str; 5] = ["initialize", "logging/setLevel", "ping", "resources/subscribe", "resources/unsubscribe"];
/// Methods that the older era does not have, and that rmcp answers as if it had.
const NEWER: [&str; 3] = ["tasks/cancel", "tasks/get", "tasks/update"];

/// What is wrong is said in so many characters; what was sent is part of it.
const MOST: usize = 300;

/// Whether the era has no such method, though the other has.
pub(in crate::serve) fn is_of_another_era(method: &str, modern: bool) -> bool {
    (if modern { &OLDER[..] } else { &NEWER }).contains(&method)
}

/// There is no such method.
pub(in crate::serve) fn unknown(method: &str) -> ErrorData {
    let detail = format!("there is no method `{}`", shown_up_to(method, MOST));
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, detail, None)
}

/// What is wrong with parameters that rmcp would take for something else: another cursor for none, so that it gives the
/// first page, and a message with other metadata for no message.
pub(super) fn unreadable(kind: &Kind, params: &Value) -> Option<&'static str> {
    let is_list = matches!(kind, Kind::Request(method) if method.ends_with("/list"));
    if is_list && params.get("cursor").is_some_and(|cursor| !matches!(cursor, Value::Text(_) | Value::Null)) {
        return Some("`cursor` must be a string");
    }
    let meta = params.get("_meta")?;
    (!matches!(meta, Value::Map(_) | Value::Null)).then_some("`_meta` must be an object")
}

/// What is wrong with the parameters of a method that we answer; none for any other method.
pub(in crate::serve) fn misread(method: &str, params: Json) -> Option<ErrorData> {
    let problem = match method {
        "completion/complete" => problem::<CompleteRequestParams>(params),
        "initialize" => problem::<InitializeRequestParams>(params),
        "logging/setLevel" => problem::<SetLevelRequestParams>(params),
        "prompts/get" => problem::<GetPromptRequestParams>(params),
        "resources/read" => problem::<ReadResourceRequestParams>(params),
        "resources/subscribe" => problem::<SubscribeRequestParams>(params),
        "resources/unsubscribe" => problem::<UnsubscribeRequestParams>(params),
        "subscriptions/listen" => problem::<SubscriptionsListenRequestParams>(params),
        "tasks/cancel" => problem::<CancelTaskParams>(params),
        "tasks/get" => problem::<GetTaskParams>(params),
        "tasks/update" => problem::<UpdateTaskParams>(params),
        "tools/call" => problem::<CallToolRequestParams>(params),
        "prompts/list" | "resources/list" | "resources/templates/list" | "tools/list" => {
            problem::<PaginatedRequestParams>(params)
        }
        "ping" => problem::<Nothing>(params),
        "server/discover" => problem::<Discover>(params),
        _ => return None,
    };
    let problem = problem.unwrap_or_else(|| Problem {
        pointer: "/params".to_owned(),
        expected: None,
        what: "does not fit".to_owned(),
    });
    let detail =
        format!("the parameters of {method} are not what the protocol says: `{}` {}", problem.pointer, problem.what);
    let mut data = json!({ "pointer": problem.pointer });
    if let (Some(expected), Some(data)) = (problem.expected, data.as_object_mut()) {
        data.insert("expected".to_owned(), expected.into());
    }
    Some(ErrorData::invalid_params(detail, Some(data)))
}

/// The parameters of a method that has none of its own.
#[derive(Deserialize)]
#[allow(dead_code, reason = "read for what is wrong with it alone")]
struct Nothing {
    #[serde(rename = "_meta")]
    meta: Option<Map<String, Json>>,
}

/// Those of the discovery, which is the newer era's alone and needs what that one needs.
#[derive(Deserialize)]
#[allow(dead_code, reason = "read for what is wrong with it alone")]
struct Discover {
    #[serde(rename = "_meta")]
    meta: Needed,
}

#[derive(Deserialize)]
#[allow(dead_code, reason = "read for what is wrong with it alone")]
struct Needed {
    #[serde(rename = "io.modelcontextprotocol/protocolVersion")]
    version: String,
    #[serde(rename = "io.modelcontextprotocol/clientCapabilities")]
    capabilities: Map<String, Json>,
}

/// What is wrong, and where in the message.
struct Problem {
    pointer: String,
    expected: Option<String>,
    /// The rest of a sentence about the place.
    what: String,
}

fn problem<T: DeserializeOwned>(params: Json) -> Option<Problem> {
    let params = if params.is_null() { json!({}) } else { params };
    let error = serde_path_to_error::deserialize::<_, T>(params).err()?;
    let mut pointer = pointer(error.path());
    let said = error.inner().to_string();
    // The words of serde, each with what was sent or what is missing in it.
    if let Some(member) = said.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`')) {
        let _ = write!(pointer, "/{}", escape(member));
        return Some(Problem { pointer, expected: None, what: "is missing".to_owned() });
    }
    let of_kind = said.strip_prefix("invalid type: ").or_else(|| said.strip_prefix("invalid value: "));
    Some(match of_kind.and_then(|rest| rest.rsplit_once(", expected ")) {
        Some((found, expected)) => {
            let (found, expected) = (in_json(found), in_json(expected));
            let what = format!("must be {expected}, not {}", shown_up_to(&found, MOST));
            Problem { pointer, expected: Some(expected), what }
        }
        None => Problem { pointer, expected: None, what: format!("does not fit: {}", shown_up_to(&said, MOST)) },
    })
}

/// Where the error is, from the message on.
fn pointer(path: &Path) -> String {
    let mut pointer = "/params".to_owned();
    for segment in path {
        let _ = match segment {
            Segment::Seq { index } => write!(pointer, "/{index}"),
            Segment::Map { key } => write!(pointer, "/{}", escape(&shown_up_to(key, MOST))),
            Segment::Enum { .. } | Segment::Unknown => Ok(()),
        };
    }
    pointer
}

/// What serde calls a kind of value, as JSON calls it.
fn in_json(words: &str) -> String {
    match words {
        "map" | "a map" => "an object".to_owned(),
        "sequence" | "a sequence" => "an array".to_owned(),
        "null" | "unit value" => "null".to_owned(),
        struct_ if struct_.starts_with("struct ") => "an object".to_owned(),
        other => other.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(method: &str, params: Json) -> (String, Json) {
        let error = misread(method, params).unwrap();
        assert_eq!(error.code, ErrorCode::INVALID_PARAMS);
        (error.message.into_owned(), error.data.unwrap())
    }

    #[test]
    fn the_member_is_named_that_does_not_fit() {
        for (method, params, pointer, what) in [
            ("tools/call", json!({}), "/params/name", "is missing"),
            ("tools/call", json!({ "name": 5 }), "/params/name", "must be a string, not integer `5`"),
            (
                "tools/call",
                json!({ "name": "a", "arguments": [] }),
                "/params/arguments",
                "must be an object, not an array",
            ),
            (
                "tools/call",
                json!({ "name": "a", "inputResponses": 1 }),
                "/params/inputResponses",
                "must be an object, not integer `1`",
            ),
            (
                "tools/call",
                json!({ "name": "a", "requestState": {} }),
                "/params/requestState",
                "must be a string, not an object",
            ),
            ("resources/read", json!({ "uri": null }), "/params/uri", "must be a string, not null"),
            (
                "prompts/get",
                json!({ "name": "a", "arguments": "x" }),
                "/params/arguments",
                "must be an object, not string \"x\"",
            ),
            ("logging/setLevel", json!({ "level": "loud" }), "/params/level", "does not fit: unknown variant `loud`"),
            ("tasks/get", json!({ "taskId": 7 }), "/params/taskId", "must be a string, not integer `7`"),
            (
                "initialize",
                json!({ "protocolVersion": "2025-11-25", "capabilities": 5, "clientInfo": {} }),
                "/params/capabilities",
                "must be an object, not integer `5`",
            ),
            ("initialize", Json::Null, "/params/protocolVersion", "is missing"),
            ("server/discover", Json::Null, "/params/_meta", "is missing"),
            (
                "server/discover",
                json!({ "_meta": {} }),
                "/params/_meta/io.modelcontextprotocol~1protocolVersion",
                "is missing",
            ),
        ] {
            let (message, data) = said(method, params);
            assert!(
                message.contains(&format!("of {method} ")) && message.contains(&format!("`{pointer}` {what}")),
                "{message}"
            );
            assert_eq!(data["pointer"], pointer);
        }
        assert!(misread("tools/nothing", json!({})).is_none());
    }

    #[test]
    fn t04_what_was_sent_is_said_in_short() {
        let (message, _) = said("resources/subscribe", json!({ "uri": { ("x".repeat(50_000)): 1 } }));
        assert!(message.len() < 1000, "{message}");
        let (message, _) = said("tasks/get", json!({ "taskId": ["x".repeat(50_000)] }));
        assert!(message.len() < 1000, "{message}");
        let (message, _) = said("logging/setLevel", json!({ "level": "x".repeat(50_000) }));
        assert!(message.len() < 1000, "{message}");
    }
}
