//! An event stream as one JSON answer, for a client that takes no streams.

use axum::body::Body;
use axum::response::Response;
use bytes::BytesMut;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use http::{HeaderValue, StatusCode};
use http_body_util::BodyExt;
use serde_json::Value as Json;

use super::error::refusal;

/// Waits for the answer with this id and gives it alone; what came before it is dropped, as the client asked.
pub(super) async fn answer_only(response: Response, id: &Json) -> Response {
    let is_stream =
        response.headers().get(CONTENT_TYPE).is_some_and(|media| media.as_bytes().starts_with(b"text/event-stream"));
    if !is_stream {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let Some(answer) = find(body, id).await else {
        return refusal(StatusCode::BAD_GATEWAY, 502, "the call ended without an answer", None, id);
    };
    parts.headers.remove(CONTENT_LENGTH);
    parts.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Response::from_parts(parts, Body::from(answer))
}

async fn find(mut body: Body, id: &Json) -> Option<String> {
    let mut buffer = BytesMut::new();
    let mut data = String::new();
    while let Some(Ok(frame)) = body.frame().await {
        let Ok(bytes) = frame.into_data() else { continue };
        buffer.extend_from_slice(&bytes);
        while let Some(end) = buffer.iter().position(|byte| *byte == b'\n') {
            let line = buffer.split_to(end + 1);
            let line = String::from_utf8_lossy(&line);
            let line = line.trim_end_matches(['\r', '\n']);
            if let Some(more) = line.strip_prefix("data:") {
                data.push_str(more.strip_prefix(' ').unwrap_or(more));
            } else if line.is_empty() {
                if is_answer(&data, id) {
                    return Some(data);
                }
                data.clear();
            }
        }
    }
    is_answer(&data, id).then_some(data)
}

fn is_answer(data: &str, id: &Json) -> bool {
    let Ok(message) = serde_json::from_str::<Json>(data) else { return false };
    message.get("id") == Some(id) && (message.get("result").is_some() || message.get("error").is_some())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    async fn answer(stream: &'static str) -> (StatusCode, String) {
        let mut response = Response::new(Body::from(stream));
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
        let response = answer_only(response, &json!(7)).await;
        let status = response.status();
        let body = response.into_body().collect().await.unwrap().to_bytes();
        (status, String::from_utf8(body.to_vec()).unwrap())
    }

    #[tokio::test]
    async fn b55_the_answer_stands_alone() {
        let stream = ": ping\n\nid: 0\nretry: 3000\ndata:\n\ndata: {\"method\":\"notifications/progress\"}\n\n\
                      data: {\"jsonrpc\":\"2.0\",\"id\":7,\ndata: \"result\":{}}\r\n\r\n";
        let (status, body) = answer(stream).await;
        assert_eq!(status, StatusCode::OK);
        assert_eq!(body, r#"{"jsonrpc":"2.0","id":7,"result":{}}"#);
    }

    #[tokio::test]
    async fn a_stream_without_an_answer_is_an_error() {
        let (status, body) = answer("data: {\"id\":8,\"result\":{}}\n\n").await;
        assert_eq!(status, StatusCode::BAD_GATEWAY);
        assert!(body.contains("\"id\":7"));
    }
}
