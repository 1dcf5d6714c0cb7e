//! The direct lane: a plain `tools/call` or `tools/list` over HTTP is answered from the catalog, without the service, the
//! channels and the tasks that rmcp makes for each request (`mcp.md` 6).
//!
//! It answers what is plain and in order. What asks for more, or is wrong in any way, goes to rmcp, which knows what to
//! say; so this module refuses nothing, and a rule that it does not know costs time and no correctness.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use http::request::Parts;
use http::{HeaderMap, HeaderName, StatusCode};
use http_body::{Frame, SizeHint};
use rmcp::model::{CallToolResponse, ClientCapabilities, ContentBlock, ListToolsResult, ProtocolVersion, ServerResult};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::asking::{Asking, Outcome, Rounds};
use super::content::{Dressed, Outputs};
use super::envelope::{Envelope, as_json};
use super::published::Published;
use super::{SESSION_ID, calls, error};
use crate::call::{Asker, Caller, TraceParent};
use crate::serve::edge::Principal;
use crate::serve::error::{reply, traceparent};
use crate::serve::server::Incoming;
use crate::wire::{Map, Regime, Value};

const VERSION_HEADER: HeaderName = HeaderName::from_static("mcp-protocol-version");
const METHOD_HEADER: HeaderName = HeaderName::from_static("mcp-method");
const NAME_HEADER: HeaderName = HeaderName::from_static("mcp-name");
/// The member of `_meta` with which the newer era starts.
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// The members of `_meta` that ask for nothing; any other may change how a request is answered.
const HARMLESS: [&str; 6] =
    [VERSION, CAPABILITIES, "io.modelcontextprotocol/clientInfo", "traceparent", "tracestate", "baggage"];

/// Which protocol a request speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Era {
    /// Up to 2025-11-25, without a session.
    Older,
    /// 2026-07-28.
    Newer,
}

/// The lane of a face that is open to all.
pub(super) struct Lane {
    published: Arc<Published>,
    pages: Vec<Page>,
    /// The `_meta` of a plain result of the newer era.
    meta: String,
}

/// A page of the list of tools, as each era reads it.
struct Page {
    older: Option<Bytes>,
    newer: Option<Bytes>,
}

impl Lane {
    /// Writes the pages of the list once and for all.
    pub(super) fn new(published: Arc<Published>) -> Self {
        let pages = published.lists.tool_pages().map(|page| {
            let newer = Era::Newer.page(published.signature.on(page.clone()));
            Page { older: Era::Older.page(page), newer }
        });
        let (pages, meta) = (pages.collect(), published.signature.meta().to_string());
        Self { published, pages, meta }
    }

    /// The answer to a plain request; none for any other, whose body is then read by rmcp.
    pub(super) async fn answer(
        &self,
        message: &mut Envelope,
        (parts, body): (&Parts, &[u8]),
        principal: &Principal,
    ) -> Option<Response> {
        let (era, capabilities) = era(message, &parts.headers)?;
        let params = match &mut message.params {
            Value::Map(params) => params,
            _ => &mut Map::new(),
        };
        match message.kind.method()? {
            "tools/list" => self.list(era, params, &message.id),
            "tools/call" => self.call((era, capabilities), params, &message.id, (parts, body, principal)).await,
            _ => None,
        }
    }

    fn list(&self, era: Era, params: &Map, id: &Json) -> Option<Response> {
        if params.iter().any(|(member, _)| !matches!(member.as_text(), Some("_meta" | "cursor"))) {
            return None;
        }
        let page = match params.get("cursor") {
            None => 0,
            Some(cursor) => self.published.lists.tool_page(cursor.as_text()?)?,
        };
        let page = self.pages.get(page)?;
        let page = match era {
            Era::Older => page.older.clone(),
            Era::Newer => page.newer.clone(),
        };
        Some(answered(id, page?))
    }

    async fn call(
        &self,
        (era, capabilities): (Era, Option<ClientCapabilities>),
        params: &mut Map,
        id: &Json,
        (parts, body, principal): (&Parts, &[u8], &Principal),
    ) -> Option<Response> {
        if params.iter().any(|(member, _)| !matches!(member.as_text(), Some("_meta" | "name" | "arguments"))) {
            return None;
        }
        // Whoever answers in its place reads the body.
        let Some(Value::Text(name)) = params.remove("name") else { return None };
        let hosted = self.published.plain(&name)?.clone();
        if era == Era::Newer && header(&parts.headers, NAME_HEADER) != Some(&name) {
            return None;
        }
        let arguments = match params.remove("arguments") {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Map(arguments)) => arguments,
            Some(_) => return None,
        };
        let said = params.get("_meta").and_then(|meta| meta.get("traceparent")?.as_text()).and_then(TraceParent::parse);
        // The older era asks on a session, of which there is none.
        let seals = &self.published.seals;
        let rounds = capabilities.map(|capabilities| Arc::new(Rounds::first(seals.clone(), capabilities)));
        let incoming = Incoming {
            caller: Caller {
                face: self.published.transport.as_str(),
                principal: principal.0.clone(),
                regime: Regime::Json,
            },
            events: None,
            asker: rounds.clone().map(|rounds| rounds as Arc<dyn Asker>),
            trace: said.or_else(|| traceparent(&parts.headers)),
            execution: None,
            // Nothing can cancel it but the end of the connection, which drops the future.
            cancelled: std::future::pending(),
        };
        let published = self.published.clone();
        let call = async move {
            let arguments = calls::arguments(arguments.into_iter().filter_map(named).collect()).await;
            let result = calls::call(&published, &hosted, &name, arguments, incoming).await;
            let failed = result.is_err();
            (result.unwrap_or_else(|error| Dressed::Whole(published.failure(&error))), failed)
        };
        let (result, failed) = match era {
            Era::Newer => call.await,
            // In the older era the end of a connection is no cancellation (`mcp.md` 3, step 2).
            Era::Older => Lasting(Some(Box::pin(call))).await,
        };
        // A question ends the run. It is answered here, since what stands before it is done once a round.
        if let Some(rounds) = rounds.filter(|rounds| failed && rounds.has_asked()) {
            let asking = Asking::of_call(rounds, body, principal.0.as_deref())?;
            return match asking.outcome(failed) {
                Ok(Outcome::Asks(asks)) => self.answered(era, asks.into(), id),
                Ok(Outcome::Ended) => self.finished(era, result, id),
                Ok(Outcome::Refused(refused)) => Some(error::of(StatusCode::BAD_REQUEST, refused, id)),
                Err(defect) => Some(error::of(StatusCode::OK, defect, id)),
            };
        }
        self.finished(era, result, id)
    }

    /// The answer to a call that ended.
    fn finished(&self, era: Era, result: Dressed, id: &Json) -> Option<Response> {
        let (content, outputs) = match result {
            Dressed::Ports(content, outputs) => (content, outputs),
            Dressed::Whole(result) => return self.answered(era, result.into(), id),
        };
        let mut body = head(id);
        era.write_outputs(&content, outputs.as_ref(), &self.meta, &mut body)?;
        body.push(b'}');
        Some(reply(Regime::Json, StatusCode::OK, body))
    }

    /// The answer to a call that asks or has failed.
    fn answered(&self, era: Era, result: CallToolResponse, id: &Json) -> Option<Response> {
        let result = match era {
            Era::Older => result,
            Era::Newer => self.published.signature.on(result),
        };
        let mut body = head(id);
        era.write(result.into(), &mut body)?;
        body.push(b'}');
        Some(reply(Regime::Json, StatusCode::OK, body))
    }
}

impl Era {
    /// Writes the result as clients of the era read it; nothing if it has no JSON, which is out of reach.
    fn write(self, mut result: ServerResult, out: &mut Vec<u8>) -> Option<()> {
        if self == Self::Older {
            result.strip_result_type_for_legacy_peer();
            result.strip_non_object_output_for_legacy_peer();
        }
        serde_json::to_writer(out, &result).ok()
    }

    fn page(self, page: ListToolsResult) -> Option<Bytes> {
        let mut written = Vec::new();
        self.write(page.into(), &mut written)?;
        Some(written.into())
    }

    /// The same of the result that nearly every call has, whose parts are there as text already.
    fn write_outputs(
        self,
        content: &[ContentBlock],
        outputs: Option<&Outputs>,
        meta: &str,
        out: &mut Vec<u8>,
    ) -> Option<()> {
        out.extend_from_slice(match self {
            Self::Older => b"{\"content\":",
            Self::Newer => b"{\"resultType\":\"complete\",\"content\":",
        });
        serde_json::to_writer(&mut *out, content).ok()?;
        if let Some(outputs) = outputs {
            out.extend_from_slice(b",\"structuredContent\":");
            out.extend_from_slice(outputs.text().as_bytes());
        }
        out.extend_from_slice(b",\"isError\":false");
        if self == Self::Newer {
            out.extend_from_slice(b",\"_meta\":");
            out.extend_from_slice(meta.as_bytes());
        }
        out.push(b'}');
        Some(())
    }
}

/// The era of a request whose headers and `_meta` are in order and ask for nothing special; in the newer one also what
/// the client can do.
fn era(message: &Envelope, headers: &HeaderMap) -> Option<(Era, Option<ClientCapabilities>)> {
    let version = header(headers, VERSION_HEADER)?;
    let meta = match message.params.get("_meta") {
        None => None,
        Some(Value::Map(meta)) if meta.iter().all(|(key, _)| is_harmless(key)) => Some(meta),
        Some(_) => return None,
    };
    let Some(own) = meta.and_then(|meta| meta.get(VERSION)) else {
        let older = ProtocolVersion::known_up_to(&ProtocolVersion::LATEST_WITH_INITIALIZE);
        let is_known = version.is_empty() || older.iter().any(|known| known.as_str() == version);
        return (is_known && !headers.contains_key(SESSION_ID)).then_some((Era::Older, None));
    };
    let newest = ProtocolVersion::LATEST.as_str();
    let capabilities = ClientCapabilities::deserialize(as_json(meta?.get(CAPABILITIES)?)).ok()?;
    let in_order =
        own.as_text() == Some(newest) && version == newest && header(headers, METHOD_HEADER) == message.method();
    in_order.then_some((Era::Newer, Some(capabilities)))
}

fn is_harmless(member: &Value) -> bool {
    member.as_text().is_some_and(|member| HARMLESS.contains(&member))
}

/// A member of a message, whose names are text.
fn named((name, value): (Value, Value)) -> Option<(String, Value)> {
    match name {
        Value::Text(name) => Some((name, value)),
        _ => None,
    }
}

/// A header, which the gate lets stand once at most; empty where there is none, nothing when it is no text.
fn header(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name).map_or(Some(""), |value| value.to_str().ok().filter(|value| !value.is_empty()))
}

/// A call that goes on when nobody waits for it any more.
struct Lasting<T: Send + 'static>(Option<Pin<Box<dyn Future<Output = T> + Send>>>);

impl<T: Send + 'static> Future for Lasting<T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T> {
        let Some(call) = &mut self.0 else { return Poll::Pending };
        let ended = std::task::ready!(call.as_mut().poll(cx));
        self.0 = None;
        Poll::Ready(ended)
    }
}

impl<T: Send + 'static> Drop for Lasting<T> {
    fn drop(&mut self) {
        if let (Some(call), Ok(runtime)) = (self.0.take(), tokio::runtime::Handle::try_current()) {
            runtime.spawn(call);
        }
    }
}

/// A response up to its result.
fn head(id: &Json) -> Vec<u8> {
    #[derive(Serialize)]
    struct Head<'a> {
        jsonrpc: &'static str,
        id: &'a Json,
    }
    // Most answers are no longer.
    let mut head = Vec::with_capacity(512);
    // What is written here has JSON.
    let _ = serde_json::to_writer(&mut head, &Head { jsonrpc: "2.0", id });
    head.pop();
    head.extend_from_slice(b",\"result\":");
    head
}

/// The response around a result that is written already, which is not copied.
fn answered(id: &Json, result: Bytes) -> Response {
    let parts = [Bytes::from_static(b"}"), result, head(id).into()];
    reply(Regime::Json, StatusCode::OK, Body::new(Pieces(parts.into())))
}

/// A body in pieces, the first of them last.
struct Pieces(Vec<Bytes>);

impl http_body::Body for Pieces {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(self.0.pop().map(|piece| Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.0.iter().map(|piece| piece.len() as u64).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::super::signed::Signature;
    use rmcp::model::{CallToolResult, Implementation};

    use super::*;

    #[test]
    fn a_result_is_written_as_rmcp_writes_it() {
        let ports = || {
            let ports =
                vec![("text".into(), Json::from("a\"b\u{0}ä")), ("n".into(), serde_json::json!([1.5, -0.0, null]))];
            Outputs::new(ports)
        };
        let signature = Signature::of(&Implementation::new("a", "1"));
        let blocks = || vec![ContentBlock::text(ports().text()), ContentBlock::image("AA==", "image/png")];
        for era in [Era::Older, Era::Newer] {
            for outputs in [None, Some(ports()), Some(Outputs::new(Vec::new()))] {
                let mut ours = Vec::new();
                era.write_outputs(&blocks(), outputs.as_ref(), &signature.meta().to_string(), &mut ours).unwrap();
                let result = CallToolResult::from(Dressed::Ports(blocks(), outputs));
                let mut theirs = Vec::new();
                let result = if era == Era::Newer { signature.on(result) } else { result };
                era.write(CallToolResponse::from(result).into(), &mut theirs).unwrap();
                assert_eq!(String::from_utf8(ours), String::from_utf8(theirs));
            }
        }
    }
}
