//! A JSON-RPC message as the gate needs it: is it one, what kind, whose id.
//!
//! rmcp reads the message again; this pass exists because rmcp answers what is no message with 415 and text, keeps the
//! last of duplicate keys, and cannot be asked for an id without its whole model.

use std::fmt;

use rmcp::model::ProtocolVersion;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::map::Entry;
use serde_json::{Map, Number, Value as Json};

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
    pub(super) params: Json,
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

impl Envelope {
    /// Reads a body.
    pub(in crate::serve) fn parse(body: &[u8]) -> Result<Self, Malformed> {
        let Unique(body) = serde_json::from_slice(body).map_err(|error| {
            let code = if error.is_data() { INVALID_REQUEST } else { PARSE_ERROR };
            Malformed { code, reason: error.to_string(), id: Json::Null }
        })?;
        let invalid = |reason: &str, id: &Json| Malformed {
            code: INVALID_REQUEST,
            reason: reason.to_owned(),
            id: if is_id(id) { id.clone() } else { Json::Null },
        };
        let Json::Object(mut members) = body else {
            return Err(invalid("a message is one JSON object; batches are not taken", &Json::Null));
        };
        let has_id = members.contains_key("id");
        let id = members.remove("id").unwrap_or_default();
        if members.get("jsonrpc").and_then(Json::as_str) != Some("2.0") {
            return Err(invalid("`jsonrpc` must be \"2.0\"", &id));
        }
        if has_id && !is_id(&id) {
            return Err(invalid("`id` must be a string or an integer", &id));
        }
        let answers = usize::from(members.contains_key("result")) + usize::from(members.contains_key("error"));
        let kind = match (members.remove("method"), answers) {
            (Some(Json::String(method)), 0) if has_id => Kind::Request(method),
            (Some(Json::String(method)), 0) if method.starts_with(NOTIFICATIONS) => Kind::Notification,
            (Some(Json::String(method)), 0) => {
                let reason = format!("`{method}` asks for an answer, so it needs an `id`");
                return Err(invalid(&reason, &Json::Null));
            }
            (None, 1) if has_id && members.get("error").is_none_or(is_error) => Kind::Response,
            (Some(Json::String(_)), _) => return Err(invalid("a message is a request or an answer, not both", &id)),
            (Some(_), _) => return Err(invalid("`method` must be a string", &id)),
            (None, 0) => return Err(invalid("the message has no `method`", &id)),
            (None, _) => {
                let reason = "an answer has an `id` and either `result` or `error`, which has a `code` and a `message`";
                return Err(invalid(reason, &id));
            }
        };
        let params = members.remove("params").unwrap_or_default();
        if !matches!(params, Json::Object(_) | Json::Null) {
            return Err(invalid("`params` must be an object", &id));
        }
        // rmcp takes parameters that it cannot read for none at all, and gives the first page.
        let is_list = matches!(&kind, Kind::Request(method) if method.ends_with("/list"));
        if is_list && params.get("cursor").is_some_and(|cursor| !cursor.is_string() && !cursor.is_null()) {
            return Err(Malformed { code: INVALID_PARAMS, reason: "`cursor` must be a string".to_owned(), id });
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
        self.params.get("_meta")?.get("io.modelcontextprotocol/protocolVersion")?.as_str()
    }
}

fn is_error(error: &Json) -> bool {
    error.get("code").is_some_and(Json::is_i64) && error.get("message").is_some_and(Json::is_string)
}

fn is_id(id: &Json) -> bool {
    match id {
        Json::String(_) => true,
        Json::Number(number) => number.is_i64(),
        _ => false,
    }
}

/// JSON in which no object has a key twice.
struct Unique(Json);

impl<'de> Deserialize<'de> for Unique {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Seed.deserialize(deserializer).map(Self)
    }
}

struct Seed;

impl<'de> DeserializeSeed<'de> for Seed {
    type Value = Json;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Json, E> {
        Ok(Number::from_f64(value).map_or(Json::Null, Json::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Json, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(Seed)? {
            list.push(item);
        }
        Ok(list.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Json, A::Error> {
        let mut map = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            let value = entries.next_value_seed(Seed)?;
            match map.entry(key) {
                Entry::Vacant(entry) => {
                    entry.insert(value);
                }
                Entry::Occupied(entry) => {
                    return Err(A::Error::custom(format!("the key `{}` stands twice", entry.key())));
                }
            }
        }
        Ok(map.into())
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
    fn a_refusal_keeps_the_id_that_it_could_read() {
        let malformed = Envelope::parse(br#"{"jsonrpc":"2.0","id":"seven","params":{}}"#).unwrap_err();
        assert_eq!(malformed.id, json!("seven"));
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
