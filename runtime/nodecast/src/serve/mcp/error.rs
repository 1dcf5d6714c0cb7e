//! Refusals of the gate: JSON-RPC errors as JSON, with the status that HTTP wants and the id that the request had.

use axum::body::Body;
use axum::response::Response;
use http::header::{ALLOW, CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderValue, StatusCode};
use http_body_util::{BodyExt, Limited};
use rmcp::model::ErrorData;
use serde_json::{Value as Json, json};

use super::envelope::{INVALID_REQUEST, Malformed};
use super::methods;
use crate::serve::error::{Failure, reply};
use crate::serve::lease;
use crate::session::Busy;
use crate::wire::Regime;

/// The code of a session that is not there; HTTP's own number.
const NO_SESSION: i32 = 404;
/// Texts of rmcp are a line; more is none of them.
const MAX_TEXT: usize = 4 << 10;

/// A JSON-RPC error with an HTTP status.
pub(super) fn refusal(status: StatusCode, code: i32, message: &str, data: Option<Json>, id: &Json) -> Response {
    let mut error = json!({ "code": code, "message": message });
    if let (Some(data), Some(error)) = (data, error.as_object_mut()) {
        error.insert("data".to_owned(), data);
    }
    let body = json!({ "jsonrpc": "2.0", "id": id, "error": error });
    reply(Regime::Json, status, body.to_string())
}

/// A body that is no message.
pub(super) fn malformed(malformed: &Malformed) -> Response {
    refusal(StatusCode::BAD_REQUEST, malformed.code, &malformed.reason, None, &malformed.id)
}

/// A failure of the layers below, such as a body that is too large.
pub(super) fn failed(failure: &Failure, id: &Json) -> Response {
    let error = failure.error();
    let data = json!({ "type": error.kind(), "stage": error.stage().as_str() });
    // Outside the range that JSON-RPC and the protocol keep, HTTP's own number says the most.
    let code = match failure.status() {
        StatusCode::BAD_REQUEST => INVALID_REQUEST,
        status => i32::from(status.as_u16()),
    };
    let mut response = refusal(failure.status(), code, error.message(), Some(data), id);
    response.headers_mut().extend(failure.headers().iter().cloned());
    if let Some(seconds) = error.retry_after_s() {
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}

/// The nodeset is held by another client.
pub(super) fn held(nodeset: &str, busy: &Busy, id: &Json) -> Response {
    let message = format!("mcp_exclusive: {}", lease::sentence(nodeset, busy));
    later(StatusCode::CONFLICT, 409, &message, Some(lease::data(busy)), busy, id)
}

/// As many sessions are open as may be.
pub(super) fn no_seat(busy: &Busy, id: &Json) -> Response {
    let message = "as many sessions are open as this host keeps (--max-sessions); try again when one has ended";
    later(StatusCode::SERVICE_UNAVAILABLE, 503, message, None, busy, id)
}

/// A refusal that another try may not meet.
fn later(status: StatusCode, code: i32, message: &str, data: Option<Json>, busy: &Busy, id: &Json) -> Response {
    let mut response = refusal(status, code, message, data, id);
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(busy.retry_after_s()));
    response
}

/// A call of the older era without the session that its nodeset needs.
pub(super) fn session_needed(nodeset: &str, id: &Json) -> Response {
    let message =
        format!("`{nodeset}` is called in a session: send `initialize` first, and its Mcp-Session-Id with every call");
    refusal(StatusCode::BAD_REQUEST, INVALID_REQUEST, &message, None, id)
}

/// A session id that opens nothing.
pub(super) fn no_session(id: &Json) -> Response {
    let message = "there is no such session; it has ended or idled too long, so initialize a new one";
    refusal(StatusCode::NOT_FOUND, NO_SESSION, message, None, id)
}

/// A message that wants no answer.
pub(super) fn accepted() -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::ACCEPTED;
    response
}

/// An error of rmcp's model.
pub(super) fn of(status: StatusCode, error: ErrorData, id: &Json) -> Response {
    refusal(status, error.code.0, &error.message, error.data, id)
}

/// Parameters that do not fit their method.
pub(super) fn misread(method: &str, params: &Json, id: &Json) -> Response {
    let error = methods::misread(method, params.clone()).unwrap_or_else(|| methods::unknown(method));
    of(StatusCode::BAD_REQUEST, error, id)
}

/// A second request under the id of one that has no answer yet.
pub(super) fn id_taken(id: &Json) -> Response {
    refusal(StatusCode::BAD_REQUEST, INVALID_REQUEST, &super::taken(id), None, id)
}

/// A method of one era in a request of the other; in the older one errors come with 200.
pub(super) fn unknown_method(method: &str, is_modern: bool, id: &Json) -> Response {
    let status = if is_modern { StatusCode::NOT_FOUND } else { StatusCode::OK };
    of(status, methods::unknown(method), id)
}

/// An answer to nothing.
pub(super) fn unasked() -> Response {
    let message = "nothing was asked here: the server asks on a session, and in the newer era is answered with \
                   `inputResponses`";
    refusal(StatusCode::BAD_REQUEST, INVALID_REQUEST, message, None, &Json::Null)
}

/// A `Last-Event-ID` after which nothing is known.
pub(super) fn no_event() -> Response {
    let message = "this session has no event with the Last-Event-ID (any more): its answer has been sent, or it never was; \
                   open the stream without the header, and send again what has no answer";
    refusal(StatusCode::BAD_REQUEST, INVALID_REQUEST, message, None, &Json::Null)
}

/// A method that `/mcp` does not have here.
pub(super) fn wrong_method(allow: &'static str) -> Response {
    let message = format!("/mcp takes {allow}");
    let mut response = refusal(StatusCode::METHOD_NOT_ALLOWED, 405, &message, None, &Json::Null);
    response.headers_mut().insert(ALLOW, HeaderValue::from_static(allow));
    response
}

/// Turns a refusal that rmcp wrote as text into a JSON-RPC error; leaves every other response as it is.
pub(super) async fn dressed(response: Response, id: &Json) -> Response {
    let is_text = response
        .headers()
        .get(CONTENT_TYPE)
        .is_none_or(|media| media.as_bytes().get(..5).is_some_and(|head| head.eq_ignore_ascii_case(b"text/")))
        && response.headers().get(CONTENT_TYPE).is_none_or(|media| !media.as_bytes().starts_with(b"text/event-stream"));
    if !is_text || !(response.status().is_client_error() || response.status().is_server_error()) {
        return response;
    }
    let (parts, body) = response.into_parts();
    let text =
        Limited::new(body, MAX_TEXT).collect().await.map(http_body_util::Collected::to_bytes).unwrap_or_default();
    let text = if parts.status.is_server_error() {
        // What went wrong inside is nothing to a client, and a host that stops is the usual reason.
        "the request ended without an answer; send it again".to_owned()
    } else if text.is_empty() {
        parts.status.canonical_reason().unwrap_or("refused").to_owned()
    } else {
        String::from_utf8_lossy(&text).into_owned()
    };
    let code = match parts.status {
        StatusCode::BAD_REQUEST | StatusCode::UNSUPPORTED_MEDIA_TYPE => INVALID_REQUEST,
        status => i32::from(status.as_u16()),
    };
    let mut made = refusal(parts.status, code, &text, None, id);
    if let Some(allow) = parts.headers.get(ALLOW) {
        made.headers_mut().insert(ALLOW, allow.clone());
    }
    made
}

/// An answer of rmcp with the body type of axum.
pub(super) fn boxed<B>(response: http::Response<B>) -> Response
where
    B: http_body::Body<Data = bytes::Bytes> + Send + 'static,
    B::Error: Into<axum::BoxError>,
{
    response.map(Body::new)
}
