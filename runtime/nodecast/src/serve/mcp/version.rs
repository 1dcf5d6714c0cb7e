//! The header that names the protocol version of a request: one that is served, and the one that the body names (B46).
//!
//! rmcp knows this of the newer era's requests alone, and refuses those of the older one as if they were no message.

use axum::response::Response;
use http::{HeaderMap, StatusCode};
use rmcp::model::{ErrorCode, ProtocolVersion};
use serde_json::{Value as Json, json};

use super::envelope::Envelope;
use super::error::refusal;
use crate::call::shown;
use crate::wire::Value;

/// The header.
pub(super) const HEADER: &str = "mcp-protocol-version";

/// The refusal of a message whose header names a version that is not served, or another than its body.
pub(super) fn refused(headers: &HeaderMap, message: &Envelope, served: &[ProtocolVersion]) -> Option<Response> {
    let is_hello = message.method() == Some("initialize") && message.own_version().is_none();
    let said = match message.own_version() {
        None if is_hello => message.params.get("protocolVersion").and_then(Value::as_text),
        own => own,
    };
    match (headers.get(HEADER).map(http::HeaderValue::to_str), said) {
        // Of one voice. What the handshake cannot serve it answers with what it can.
        (Some(Ok(header)), Some(said)) if header == said && is_hello => None,
        (Some(Ok(header)), Some(said)) if header != said => {
            let detail = format!("the header {HEADER} says {}, and the body {}", shown(header), shown(said));
            Some(refusal(StatusCode::BAD_REQUEST, ErrorCode::HEADER_MISMATCH.0, &detail, None, &message.id))
        }
        (Some(header), _) => unknown(header.unwrap_or_default(), served, &message.id),
        // Of the older era; rmcp asks the newer one for it.
        (None, _) => None,
    }
}

/// The same for a request that has no body.
pub(super) fn refused_bodiless(headers: &HeaderMap, served: &[ProtocolVersion]) -> Option<Response> {
    let header = headers.get(HEADER)?;
    unknown(header.to_str().unwrap_or_default(), served, &Json::Null)
}

fn unknown(header: &str, served: &[ProtocolVersion], id: &Json) -> Option<Response> {
    if served.iter().any(|version| version.as_str() == header) {
        return None;
    }
    let data = json!({ "supported": served, "requested": header });
    let served: Vec<_> = served.iter().map(ProtocolVersion::as_str).collect();
    let detail = format!("the protocol version {} is not served; there are {}", shown(header), served.join(", "));
    Some(refusal(StatusCode::BAD_REQUEST, ErrorCode::UNSUPPORTED_PROTOCOL_VERSION.0, &detail, Some(data), id))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODERN: &str = "io.modelcontextprotocol/protocolVersion";

    /// The code that a message with this header is refused with.
    async fn code(header: Option<&'static str>, message: Json) -> Option<i64> {
        let mut headers = HeaderMap::new();
        headers.extend(header.map(|header| (http::HeaderName::from_static(HEADER), header.parse().unwrap())));
        let message = Envelope::parse(message.to_string().as_bytes()).unwrap();
        let refused = refused(&headers, &message, ProtocolVersion::KNOWN_VERSIONS)?;
        assert_eq!(refused.status(), 400);
        let body = axum::body::to_bytes(refused.into_body(), 1 << 20).await.unwrap();
        let body: Json = serde_json::from_slice(&body).unwrap();
        assert_eq!(body["id"], message.id);
        body["error"]["code"].as_i64()
    }

    fn request(method: &str, params: Json) -> Json {
        json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params })
    }

    #[tokio::test]
    async fn b46_whatever_the_shape_of_the_request() {
        let older = || request("tools/list", json!({}));
        let newer = |version: &str| request("tools/list", json!({ "_meta": { MODERN: version } }));
        let hello = |version: &str| request("initialize", json!({ "protocolVersion": version }));
        let notice = || json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        assert_eq!(code(None, older()).await, None);
        for header in ["2025-03-26", "2025-11-25", "2026-07-28"] {
            assert_eq!(code(Some(header), older()).await, None);
            assert_eq!(code(Some(header), newer(header)).await, None);
            assert_eq!(code(Some(header), hello(header)).await, None);
        }
        for header in ["2099-01-01", "2026-7-28", "", "x"] {
            assert_eq!(code(Some(header), older()).await, Some(-32022), "{header}");
            assert_eq!(code(Some(header), notice()).await, Some(-32022), "{header}");
            assert_eq!(code(Some(header), newer("2026-07-28")).await, Some(-32020), "{header}");
            assert_eq!(code(Some(header), hello("2025-11-25")).await, Some(-32020), "{header}");
        }
        assert_eq!(code(Some("2099-01-01"), newer("2099-01-01")).await, Some(-32022));
        // The handshake negotiates.
        assert_eq!(code(Some("2099-01-01"), hello("2099-01-01")).await, None);
    }
}
