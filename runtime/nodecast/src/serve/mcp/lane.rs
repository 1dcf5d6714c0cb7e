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
use rmcp::model::{CallToolResponse, ClientCapabilities, ProtocolVersion, ServerResult};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use super::asking::{Asking, Outcome, Rounds};
use super::envelope::Envelope;
use super::published::Published;
use super::{SESSION_ID, calls, error};
use crate::call::{Asker, Caller, TraceParent};
use crate::serve::edge::Principal;
use crate::serve::error::{reply, traceparent};
use crate::serve::server::Incoming;
use crate::wire::Regime;

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
            let mut result = ServerResult::ListToolsResult(page);
            let newer = Era::Newer.page(&mut result);
            Page { newer, older: Era::Older.page(&mut result) }
        });
        let pages = pages.collect();
        Self { published, pages }
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
            Json::Object(params) => params,
            _ => &mut Map::new(),
        };
        match message.kind.method()? {
            "tools/list" => self.list(era, params, &message.id),
            "tools/call" => self.call((era, capabilities), params, &message.id, (parts, body, principal)).await,
            _ => None,
        }
    }

    fn list(&self, era: Era, params: &Map<String, Json>, id: &Json) -> Option<Response> {
        if params.keys().any(|member| member != "_meta" && member != "cursor") {
            return None;
        }
        let page = match params.get("cursor") {
            None => 0,
            Some(cursor) => self.published.lists.tool_page(cursor.as_str()?)?,
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
        params: &mut Map<String, Json>,
        id: &Json,
        (parts, body, principal): (&Parts, &[u8], &Principal),
    ) -> Option<Response> {
        if params.keys().any(|member| !matches!(member.as_str(), "_meta" | "name" | "arguments")) {
            return None;
        }
        let name = params.get("name")?.as_str()?.to_owned();
        let hosted = self.published.plain(&name)?.clone();
        if era == Era::Newer && header(&parts.headers, NAME_HEADER) != Some(&name) {
            return None;
        }
        let arguments = match params.get_mut("arguments") {
            None | Some(Json::Null) => Map::new(),
            Some(Json::Object(arguments)) => std::mem::take(arguments),
            Some(_) => return None,
        };
        let said = params.get("_meta").and_then(|meta| meta.get("traceparent")?.as_str()).and_then(TraceParent::parse);
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
            let result = calls::call(&published, &hosted, &name, arguments, incoming).await;
            let failed = result.is_err();
            (result.unwrap_or_else(|error| published.failure(&error)), failed)
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
                Ok(Outcome::Asks(asks)) => era.answered(asks.into(), id),
                Ok(Outcome::Ended) => era.answered(result.into(), id),
                Ok(Outcome::Refused(refused)) => Some(error::of(StatusCode::BAD_REQUEST, refused, id)),
                Err(defect) => Some(error::of(StatusCode::OK, defect, id)),
            };
        }
        era.answered(result.into(), id)
    }
}

impl Era {
    /// The answer to a call.
    fn answered(self, result: CallToolResponse, id: &Json) -> Option<Response> {
        let mut body = head(id);
        self.write(&mut ServerResult::from(result), &mut body)?;
        body.push(b'}');
        Some(reply(Regime::Json, StatusCode::OK, body))
    }

    /// Writes the result as clients of the era read it; nothing if it has no JSON, which is out of reach.
    fn write(self, result: &mut ServerResult, out: &mut Vec<u8>) -> Option<()> {
        if self == Self::Older {
            result.strip_result_type_for_legacy_peer();
            result.strip_non_object_output_for_legacy_peer();
        }
        serde_json::to_writer(out, result).ok()
    }

    fn page(self, result: &mut ServerResult) -> Option<Bytes> {
        let mut page = Vec::new();
        self.write(result, &mut page)?;
        Some(page.into())
    }
}

/// The era of a request whose headers and `_meta` are in order and ask for nothing special; in the newer one also what
/// the client can do.
fn era(message: &Envelope, headers: &HeaderMap) -> Option<(Era, Option<ClientCapabilities>)> {
    let version = header(headers, VERSION_HEADER)?;
    let meta = match message.params.get("_meta") {
        None => None,
        Some(Json::Object(meta)) if meta.keys().all(|key| HARMLESS.contains(&key.as_str())) => Some(meta),
        Some(_) => return None,
    };
    let Some(own) = meta.and_then(|meta| meta.get(VERSION)) else {
        let older = ProtocolVersion::known_up_to(&ProtocolVersion::LATEST_WITH_INITIALIZE);
        let is_known = version.is_empty() || older.iter().any(|known| known.as_str() == version);
        return (is_known && !headers.contains_key(SESSION_ID)).then_some((Era::Older, None));
    };
    let newest = ProtocolVersion::LATEST.as_str();
    let capabilities = ClientCapabilities::deserialize(meta?.get(CAPABILITIES)?).ok()?;
    let in_order = own == newest && version == newest && header(headers, METHOD_HEADER) == message.method();
    in_order.then_some((Era::Newer, Some(capabilities)))
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
