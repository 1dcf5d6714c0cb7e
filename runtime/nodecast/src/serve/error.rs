//! How a failure is dressed outside MCP: a status, and a body `{"detail": …}` in the request's regime (`wire.md` 2.1).

use axum::body::Body;
use axum::response::Response;
use http::header::{CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use serde_json::{Map, Value as Json, json};

use super::plain::Told;
use crate::Error;
use crate::call::{NOT_FOUND, Stage, TraceParent};
use crate::wire::{self, Regime, Value};

/// Content types of the msgpack regime; the first is the one that replies carry.
const MSGPACK: [&str; 3] = ["application/msgpack", "application/x-msgpack", "application/vnd.msgpack"];

/// Where a caller says its place in its trace.
const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");

/// What the content type of a call says; none for a type of neither regime.
pub(super) fn call_regime(headers: &HeaderMap) -> Option<Regime> {
    let Some(value) = headers.get(CONTENT_TYPE) else { return Some(Regime::Json) };
    // As nearly everybody writes it.
    match value.as_bytes() {
        b"application/json" => return Some(Regime::Json),
        b"application/msgpack" => return Some(Regime::Msgpack),
        _ => {}
    }
    let mut parts = value.to_str().ok()?.split(';');
    let media = parts.next()?.trim();
    if parts.any(is_foreign_charset) {
        return None;
    }
    if MSGPACK.iter().any(|known| media.eq_ignore_ascii_case(known)) {
        return Some(Regime::Msgpack);
    }
    let suffix = media.len().checked_sub("+json".len()).and_then(|at| media.get(at..));
    let is_json = media.is_empty()
        || media.eq_ignore_ascii_case("application/json")
        || suffix.is_some_and(|suffix| suffix.eq_ignore_ascii_case("+json"));
    is_json.then_some(Regime::Json)
}

/// The caller's place in its trace; more than one is none.
pub(super) fn traceparent(headers: &HeaderMap) -> Option<TraceParent> {
    let mut sent = headers.get_all(TRACEPARENT).iter();
    match (sent.next(), sent.next()) {
        (Some(value), None) => TraceParent::parse(value.to_str().ok()?),
        _ => None,
    }
}

/// A reply with this body.
pub(super) fn reply(regime: Regime, status: StatusCode, body: impl Into<Body>) -> Response {
    let content_type = match regime {
        Regime::Json => HeaderValue::from_static("application/json"),
        Regime::Msgpack => HeaderValue::from_static(MSGPACK[0]),
    };
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, content_type);
    response
}

fn is_foreign_charset(parameter: &str) -> bool {
    let Some((name, value)) = parameter.split_once('=') else { return false };
    let value = value.trim().trim_matches('"');
    name.trim().eq_ignore_ascii_case("charset")
        && !value.eq_ignore_ascii_case("utf-8")
        && !value.eq_ignore_ascii_case("utf8")
}

/// A failure with its status and the headers that belong to it.
#[derive(Debug)]
pub(super) struct Failure {
    status: StatusCode,
    error: Error,
    headers: Vec<(HeaderName, HeaderValue)>,
}

impl Failure {
    pub(super) fn new(status: StatusCode, stage: Stage, kind: &'static str, detail: impl Into<String>) -> Self {
        Self { status, error: Error::at(stage, kind, detail), headers: Vec::new() }
    }

    /// A body in a form that is not read here.
    pub(super) fn unsupported_media_type(detail: &'static str) -> Self {
        Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, Stage::SchemaValidation, "unsupported_media_type", detail)
    }

    pub(super) fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    pub(super) fn with_status(mut self, status: StatusCode) -> Self {
        self.status = status;
        self
    }

    pub(super) fn status(&self) -> StatusCode {
        self.status
    }

    pub(super) fn error(&self) -> &Error {
        &self.error
    }

    pub(super) fn headers(&self) -> &[(HeaderName, HeaderValue)] {
        &self.headers
    }

    pub(super) fn in_regime(self, regime: Regime) -> Response {
        let body = Json::Object(members("detail", &self.error));
        let (regime, bytes) = match regime {
            Regime::Json => (Regime::Json, body.to_string().into_bytes()),
            Regime::Msgpack => match wire::msgpack::encode(&Value::from(body.clone())) {
                Ok(bytes) => (Regime::Msgpack, bytes),
                // The members are text and numbers, so this is out of reach; a reader can tell by the content type.
                Err(_) => (Regime::Json, body.to_string().into_bytes()),
            },
        };
        let mut response = reply(regime, self.status, bytes);
        // The timeouts of ours and of a node are told apart by their type, which clients see too.
        let (detail, stage) = (self.error.message().to_owned(), self.error.stage());
        response.extensions_mut().insert(Told { detail, stage, timed_out: self.error.kind() == "timeout" });
        if let Some(seconds) = self.error.retry_after_s() {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        response.headers_mut().extend(self.headers);
        response
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self { status: status(&error), error, headers: Vec::new() }
    }
}

/// The members of an error object, the sentence under the key that the face uses.
pub(super) fn members(sentence: &str, error: &Error) -> Map<String, Json> {
    let mut members = Map::new();
    members.insert(sentence.to_owned(), error.message().into());
    members.insert("type".to_owned(), error.kind().into());
    members.insert("stage".to_owned(), error.stage().as_str().into());
    members.insert("retryable".to_owned(), error.is_retryable().into());
    if let Some(seconds) = error.retry_after_s() {
        members.insert("retry_after_s".to_owned(), seconds.into());
    }
    let findings = error.findings();
    if let Some(first) = findings.first() {
        // What is not found was named by the path, and is nowhere in the body.
        if !first.pointer.is_empty() || !matches!(first.kind, NOT_FOUND | "unknown_function") {
            members.insert("pointer".to_owned(), first.pointer.as_str().into());
        }
        if let Some(expected) = &first.expected {
            members.insert("expected".to_owned(), expected.as_str().into());
        }
        if !first.known.is_empty() {
            members.insert("known".to_owned(), first.known.clone().into());
        }
        if let Some(nearest) = &first.nearest {
            members.insert("nearest".to_owned(), nearest.as_str().into());
        }
    }
    if findings.len() > 1 {
        let all = findings.iter().map(|finding| {
            let mut one = json!({ "type": finding.kind, "pointer": finding.pointer, "detail": finding.detail });
            if let (Some(expected), Some(one)) = (&finding.expected, one.as_object_mut()) {
                one.insert("expected".to_owned(), expected.as_str().into());
            }
            one
        });
        members.insert("errors".to_owned(), all.collect());
    }
    if error.more_findings() > 0 {
        members.insert("more".to_owned(), error.more_findings().into());
    }
    members
}

fn status(error: &Error) -> StatusCode {
    match error.stage() {
        Stage::SchemaValidation => match error.kind() {
            NOT_FOUND | "unknown_function" => StatusCode::NOT_FOUND,
            "malformed_body" | "trailing_bytes" | "duplicate_key" | "not_a_map" | "too_deep" | "too_many_elements" => {
                StatusCode::BAD_REQUEST
            }
            "body_too_large" => StatusCode::PAYLOAD_TOO_LARGE,
            "body_too_slow" => StatusCode::REQUEST_TIMEOUT,
            "unsupported_media_type" => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            _ => StatusCode::UNPROCESSABLE_ENTITY,
        },
        Stage::Mapping => StatusCode::UNPROCESSABLE_ENTITY,
        Stage::AdapterExecution | Stage::InternalRuntime => StatusCode::INTERNAL_SERVER_ERROR,
        Stage::ExternalService => StatusCode::BAD_GATEWAY,
        Stage::Busy if matches!(error.kind(), "lease_held" | "lease_needed" | "lease_unknown") => StatusCode::CONFLICT,
        Stage::Busy | Stage::Cancelled => StatusCode::SERVICE_UNAVAILABLE,
        Stage::Timeout => StatusCode::GATEWAY_TIMEOUT,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(value: &'static str) -> Option<Regime> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(value));
        call_regime(&headers)
    }

    #[test]
    fn b62_content_types() {
        assert_eq!(call_regime(&HeaderMap::new()), Some(Regime::Json));
        assert_eq!(typed("Application/MsgPack"), Some(Regime::Msgpack));
        assert_eq!(typed("application/x-msgpack; v=1"), Some(Regime::Msgpack));
        assert_eq!(typed("application/vnd.x+json; charset=UTF-8"), Some(Regime::Json));
        assert_eq!(typed("application/json; charset=utf-16"), None);
        assert_eq!(typed("text/plain"), None);
    }
}
