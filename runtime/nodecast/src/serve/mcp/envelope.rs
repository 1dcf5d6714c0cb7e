//! A JSON-RPC message as the gate needs it: is it one, what kind, whose id.
//!
//! rmcp reads the message again; this pass exists because rmcp answers what is no message with 415 and text, keeps the
//! last of duplicate keys, and cannot be asked for an id without its whole model.

use std::fmt;

use rmcp::model::ProtocolVersion;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Number, Value as Json};

use super::methods;
use crate::wire::{Integer, Map, Value};

/// The code of a body that is not JSON.
pub(super) const PARSE_ERROR: i32 = -32700;
/// The code of JSON that is no JSON-RPC message.
pub(in crate::serve) const INVALID_REQUEST: i32 = -32600;
/// The code of parameters that do not fit the method.
pub(super) const INVALID_PARAMS: i32 = -32602;

/// What the names of all notifications begin with. Whatever else comes without an id is a request that lost it: taken
/// for a notification it would run, or be dropped, with nobody told.
const NOTIFICATIONS: &str = "notifications/";

/// One message.
#[derive(Debug)]
pub(in crate::serve) struct Envelope {
    pub(super) kind: Kind,
    /// The id as sent; null where there is none.
    pub(in crate::serve) id: Json,
    /// A map as it was written, or null: its numbers and arrays are not read by the rules of arguments yet.
    pub(super) params: Value,
}

/// What a message is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::serve) enum Kind {
    /// It names a method and wants an answer.
    Request(String),
    /// It names a method and wants none.
    Notification,
    /// It answers a request of ours.
    Response,
}

impl Kind {
    /// The method of a request.
    pub(super) fn method(&self) -> Option<&str> {
        match self {
            Self::Request(method) => Some(method),
            Self::Notification | Self::Response => None,
        }
    }
}

/// Why a body is no message.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::serve) struct Malformed {
    pub(in crate::serve) code: i32,
    pub(in crate::serve) reason: String,
    /// The id, where it could be read.
    pub(in crate::serve) id: Json,
}

/// The members of a message; what else stands in it is nobody's.
#[derive(Default)]
struct Members {
    version: Option<Value>,
    id: Option<Value>,
    method: Option<Value>,
    params: Option<Value>,
    result: Option<Value>,
    error: Option<Value>,
}

impl Members {
    fn of(message: Map) -> Self {
        let mut members = Self::default();
        for (name, value) in message {
            let member = match name.as_text() {
                Some("jsonrpc") => &mut members.version,
                Some("id") => &mut members.id,
                Some("method") => &mut members.method,
                Some("params") => &mut members.params,
                Some("result") => &mut members.result,
                Some("error") => &mut members.error,
                _ => continue,
            };
            *member = Some(value);
        }
        members
    }
}

impl Envelope {
    /// Reads a body.
    pub(in crate::serve) fn parse(body: &[u8]) -> Result<Self, Malformed> {
        let Unique(body) = serde_json::from_slice(body).map_err(|error| {
            let code = if error.is_data() { INVALID_REQUEST } else { PARSE_ERROR };
            Malformed { code, reason: error.to_string(), id: own_id(body) }
        })?;
        let invalid = |reason: &str, id: Option<&Value>| Malformed {
            code: INVALID_REQUEST,
            reason: reason.to_owned(),
            id: id.filter(|id| is_id(id)).map(as_json).unwrap_or_default(),
        };
        let Value::Map(message) = body else {
            return Err(invalid("a message is one JSON object; batches are not taken", None));
        };
        let Members { version, id, method, params, result, error } = Members::of(message);
        if version.as_ref().and_then(Value::as_text) != Some("2.0") {
            return Err(invalid("`jsonrpc` must be \"2.0\"", id.as_ref()));
        }
        if id.as_ref().is_some_and(|id| !is_id(id)) {
            return Err(invalid("`id` must be a string or an integer", id.as_ref()));
        }
        let answers = usize::from(result.is_some()) + usize::from(error.is_some());
        let kind = match (method, answers) {
            (Some(Value::Text(method)), 0) if id.is_some() => Kind::Request(method),
            (Some(Value::Text(method)), 0) if method.starts_with(NOTIFICATIONS) => Kind::Notification,
            (Some(Value::Text(method)), 0) => {
                let reason = format!("`{method}` asks for an answer, so it needs an `id`");
                return Err(invalid(&reason, None));
            }
            (None, 1) if id.is_some() && error.as_ref().is_none_or(is_error) => Kind::Response,
            (Some(Value::Text(_)), _) => {
                return Err(invalid("a message is a request or an answer, not both", id.as_ref()));
            }
            (Some(_), _) => return Err(invalid("`method` must be a string", id.as_ref())),
            (None, 0) => return Err(invalid("the message has no `method`", id.as_ref())),
            (None, _) => {
                let reason = "an answer has an `id` and either `result` or `error`, which has a `code` and a `message`";
                return Err(invalid(reason, id.as_ref()));
            }
        };
        let params = params.unwrap_or_default();
        if !matches!(params, Value::Map(_) | Value::Null) {
            return Err(invalid("`params` must be an object", id.as_ref()));
        }
        let id = id.as_ref().map(as_json).unwrap_or_default();
        if let Some(reason) = methods::unreadable(&kind, &params) {
            return Err(Malformed { code: INVALID_PARAMS, reason: reason.to_owned(), id });
        }
        Ok(Self { kind, id, params })
    }

    /// The method of a request.
    pub(in crate::serve) fn method(&self) -> Option<&str> {
        self.kind.method()
    }

    /// Whether it is a message of the newer era by what it says itself.
    pub(in crate::serve) fn is_modern(&self) -> bool {
        self.own_version().is_some_and(|version| version > ProtocolVersion::LATEST_WITH_INITIALIZE.as_str())
    }

    /// Whether it is the handshake of the older era. With the newer era's `_meta` in place of its own parameters it is
    /// none, and that era has no such method.
    pub(in crate::serve) fn says_hello(&self) -> bool {
        self.method() == Some("initialize")
            && (self.own_version().is_none() || self.params.get("protocolVersion").is_some())
    }

    /// The protocol version that the request names for itself, as the newer era does.
    pub(super) fn own_version(&self) -> Option<&str> {
        self.params.get("_meta")?.get("io.modelcontextprotocol/protocolVersion")?.as_text()
    }
}

/// The id of a body that is refused as a whole; null where it has none, or more than one.
fn own_id(body: &[u8]) -> Json {
    /// What stands beside it is skipped, so a value that is too deep, too large or there twice hides nothing.
    #[derive(serde::Deserialize)]
    struct Identified {
        id: Json,
    }
    let read = serde_json::from_slice::<Identified>(body).ok();
    read.map(|read| read.id).filter(|id| id.is_string() || id.is_i64()).unwrap_or_default()
}

fn is_error(error: &Value) -> bool {
    let has_code = error.get("code").is_some_and(|code| code.as_i64().is_some());
    has_code && error.get("message").is_some_and(|message| message.as_text().is_some())
}

fn is_id(id: &Value) -> bool {
    match id {
        Value::Text(_) => true,
        Value::Int(number) => number.as_i64().is_some(),
        _ => false,
    }
}

/// A part of a message in `serde_json`'s tree, for who reads no other.
pub(super) fn as_json(part: &Value) -> Json {
    match part {
        Value::Bool(yes) => (*yes).into(),
        Value::Int(number) => number.as_u64().map_or_else(|| number.as_i64().into(), Json::from),
        Value::Float(number) => Number::from_f64(*number).into(),
        Value::Text(text) => text.as_str().into(),
        Value::List(items) => items.iter().map(as_json).collect(),
        Value::Map(map) => map.iter().filter_map(|(key, value)| Some((key.as_text()?, as_json(value)))).collect(),
        // Of the others a message has none.
        Value::Null | Value::Bytes(_) | Value::Array(_) | Value::Image(_) | Value::Ext(..) => Json::Null,
    }
}

/// JSON in which no object has a key twice.
struct Unique(Value);

impl<'de> Deserialize<'de> for Unique {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Seed.deserialize(deserializer).map(Self)
    }
}

struct Seed;

impl<'de> DeserializeSeed<'de> for Seed {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Int(Integer::from(value)))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Int(Integer::from(value)))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Float(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(Seed)? {
            list.push(item);
        }
        Ok(Value::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            let value = entries.next_value_seed(Seed)?;
            map.push(key, value);
        }
        match map.duplicate().and_then(Value::as_text) {
            Some(key) => Err(A::Error::custom(format!("the key `{key}` stands twice"))),
            None => Ok(Value::Map(map)),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn code(body: &str) -> Option<i32> {
        Envelope::parse(body.as_bytes()).err().map(|malformed| malformed.code)
    }

    #[test]
    fn b57_what_is_no_json() {
        for body in ["", "nope", "\u{feff}{}", r#"{"jsonrpc":"2.0","#, r#"{"jsonrpc":"2.0","id":1,"method":"x"} y"#] {
            assert_eq!(code(body), Some(PARSE_ERROR), "{body}");
        }
        assert_eq!(Envelope::parse(b"{\"a\":\"\xff\"}").unwrap_err().code, PARSE_ERROR);
        assert_eq!(code(r#"{"jsonrpc":"2.0","id":1,"method":"x","params":{"n":1e400}}"#), Some(PARSE_ERROR));
    }

    #[test]
    fn b57_what_is_no_message() {
        for body in [
            "[]",
            "1",
            r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#,
            r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"a"}}"#,
            r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#,
            r#"{"jsonrpc":"2.0","id":1}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","name":"b"}}"#,
        ] {
            assert_eq!(code(body), Some(INVALID_REQUEST), "{body}");
        }
    }

    #[test]
    fn b70_names_are_exact() {
        for body in [
            r#"{"jsonrpc":"2.0","id":1,"Method":"ping"}"#,
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\\u0000\":\"ping\"}",
            r#"{"jsonrpc":"2.0","Id":1,"method":"tools/call"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","method":"initialize"}"#,
        ] {
            assert_eq!(code(body), Some(INVALID_REQUEST), "{body}");
        }
    }

    #[test]
    fn b57_a_refusal_keeps_the_id_that_it_could_read() {
        let deep = format!("{}1{}", "[".repeat(200), "]".repeat(200));
        let none = ["null", "1.5", "{}", "1,\"id\":1"].map(|id| (id, Json::Null));
        for params in ["1", r#"{"a":1,"a":2}"#, r#"{"n":1e400}"#, deep.as_str()] {
            for (id, read) in [("7", json!(7)), ("\"seven\"", json!("seven"))].into_iter().chain(none.clone()) {
                let body = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"x","params":{params}}}"#);
                assert_eq!(Envelope::parse(body.as_bytes()).unwrap_err().id, read, "{body}");
            }
        }
        for body in [r#"{"jsonrpc":"2.0","id":7,"method":"#, r#"{"id":7} {}"#, r#"[7,{"a":1,"a":2}]"#] {
            assert_eq!(Envelope::parse(body.as_bytes()).unwrap_err().id, Json::Null, "{body}");
        }
    }

    #[test]
    fn a_key_that_stands_twice_is_seen_among_few_and_many() {
        for count in [2, 15, 16, 17, 100] {
            let body = |again: usize| {
                let members = (0..count).map(|at| format!("\"k{}\":0", if at + 1 == count { again } else { at }));
                let members = members.collect::<Vec<_>>().join(",");
                format!(r#"{{"jsonrpc":"2.0","id":1,"method":"x","params":{{{members}}}}}"#)
            };
            assert_eq!(code(&body(count)), None, "{count}");
            for again in [0, count - 2] {
                let reason = Envelope::parse(body(again).as_bytes()).unwrap_err().reason;
                assert!(reason.starts_with(&format!("the key `k{again}` stands twice at line 1")), "{reason}");
            }
        }
    }

    #[test]
    fn what_stands_in_a_message_is_the_same_in_either_tree() {
        let tree = json!({
            "a": [null, true, -1, 0, u64::MAX, i64::MIN, 1.5, -0.0, "\u{0}"], "__ndarray__": {}, "b": { "c": [] },
        });
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "x", "params": tree }).to_string();
        let message = Envelope::parse(body.as_bytes()).unwrap();
        assert_eq!(as_json(&message.params).to_string(), tree.to_string());
        assert_eq!(message.params, Value::from(tree));
    }

    #[test]
    fn messages_are_told_apart() {
        let kind = |body: &str| Envelope::parse(body.as_bytes()).unwrap().kind;
        let request = r#"{"jsonrpc":"2.0","id":0,"method":"tools/call","params":{}}"#;
        assert_eq!(kind(request), Kind::Request("tools/call".to_owned()));
        assert_eq!(kind(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#), Kind::Notification);
        assert_eq!(kind(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#), Kind::Response);
    }
}
