//! The gate before rmcp: what is a message, where it belongs, and answers in JSON where rmcp has none (`mcp.md` 4 to 6).

use std::sync::Arc;

use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use bytes::Bytes;
use futures_util::StreamExt as _;
use http::header::{ACCEPT, CONTENT_LENGTH, CONTENT_TYPE};
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use rmcp::model::{InitializeRequestParams, ProtocolVersion};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde::Deserialize as _;
use serde_json::Value as Json;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::accept::Accepts;
use super::envelope::{Envelope, INVALID_REQUEST, Kind, as_json};
use super::handler::{Handler, Reach};
use super::keeping::Keeping;
use super::lane::Lane;
use super::methods::is_of_another_era;
use super::published::Published;
use super::unanswered::Unanswered;
use super::{SESSION_ID, error, unstream, version};
use crate::call::off_the_workers;
use crate::serve::body;
use crate::serve::delivery::{self, Connection, Slot};
use crate::serve::edge::Principal;
use crate::serve::server::Hosted;
use crate::wire::MAX_LIGHT;

/// What rmcp insists on, whatever the client took.
const BOTH: HeaderValue = HeaderValue::from_static("application/json, text/event-stream");

/// The code of headers that are not what the message says.
const HEADER_MISMATCH: i32 = -32020;

/// `/mcp` of one face.
pub(in crate::serve) struct Gate {
    published: Arc<Published>,
    /// Plain requests, where every client is served alike.
    lane: Option<Lane>,
    /// Requests without a session: those of the newer era, and of the older one all that need none.
    stateless: StreamableHttpService<Handler, NeverSessionManager>,
    /// The sessions of the older era, where there are any.
    keeping: Option<Keeping>,
    /// Sessions, streams and the reaper end with the gate.
    _close: DropGuard,
}

impl Gate {
    /// The gate of a face; `close` ends its streams and sessions.
    pub(in crate::serve) fn new(
        published: Arc<Published>,
        exclusive: Option<&Arc<Hosted>>,
        close: &CancellationToken,
    ) -> Self {
        let close = close.child_token();
        let config = || {
            StreamableHttpServerConfig::default()
                .with_json_response(true)
                .with_cancellation_token(close.clone())
                .with_max_request_body_bytes(published.server.options.max_mcp_body)
                // The edge has checked Host and Origin of every route, and knows more names than rmcp is told.
                .disable_allowed_hosts()
        };
        // A client of its own a request: what one client says is no other's.
        let of_request = published.clone();
        let stateless = StreamableHttpService::new(
            move || Ok(Handler::new(of_request.clone(), Reach::Request, Unanswered::default())),
            Arc::default(),
            config().with_legacy_session_mode(false),
        );
        let keeping = Keeping::new(&published, exclusive, config().with_legacy_session_mode(true));
        if let Some(keeping) = &keeping {
            tokio::spawn(keeping.reap(close.clone()));
        }
        let lane =
            (keeping.is_none() && !published.server.options.no_direct_lane).then(|| Lane::new(published.clone()));
        Self { published, lane, stateless, keeping, _close: close.drop_guard() }
    }

    /// How many sessions are open, where they are kept; that of a holder, the health report tells by its lease.
    pub(super) fn sessions(&self) -> Option<usize> {
        self.keeping.as_ref().filter(|keeping| keeping.exclusive().is_none()).map(Keeping::open)
    }

    pub(in crate::serve) async fn handle(
        &self,
        principal: Principal,
        connection: Option<&Connection>,
        mut request: Request,
    ) -> Response {
        // Of a POST its body says whose id the refusal carries.
        if request.method() != Method::POST
            && let Some(name) = twice(request.headers())
        {
            return ambiguous(name, &Json::Null);
        }
        match (request.method(), &self.keeping) {
            (&Method::POST, _) => self.post(principal, connection, request).await,
            (&Method::GET | &Method::DELETE, Some(keeping)) => {
                request.extensions_mut().insert(principal);
                if let Some(refusal) = version::refused_bodiless(request.headers(), self.published.versions()) {
                    return refusal;
                }
                // The newer era has neither streams of their own nor sessions to end.
                if version_of(request.headers()).is_some_and(is_newer) {
                    return error::wrong_method("POST");
                }
                let drain = self.published.server.life.draining().clone();
                until(Box::pin(keeping.get_or_delete(request)).await, drain)
            }
            (_, Some(_)) => error::wrong_method("GET, POST, DELETE"),
            (_, None) => error::wrong_method("POST"),
        }
    }

    async fn post(&self, principal: Principal, connection: Option<&Connection>, request: Request) -> Response {
        let (parts, body) = request.into_parts();
        if !is_json(&parts.headers) {
            let message = "send application/json, in UTF-8";
            Box::pin(body::leave(&parts.headers, body)).await;
            return error::refusal(StatusCode::UNSUPPORTED_MEDIA_TYPE, INVALID_REQUEST, message, None, &Json::Null);
        }
        let cap = ("--max-mcp-body", self.published.server.options.max_mcp_body);
        let body = match body::read(&self.published.server.life, &parts.headers, body, cap).await {
            Ok(body) => body,
            Err(failure) => return error::failed(&failure, &Json::Null),
        };
        let parsed = if body.len() > MAX_LIGHT {
            let body = body.clone();
            off_the_workers(move || Envelope::parse(&body)).await
        } else {
            Ok(Envelope::parse(&body))
        };
        let mut message = match parsed {
            Ok(Ok(message)) => message,
            Ok(Err(malformed)) => return error::malformed(&malformed),
            Err(stopped) => return error::failed(&stopped.into(), &Json::Null),
        };
        // Only now is it known whose id a refusal carries.
        let accepts = Accepts::of(&parts.headers);
        if !accepts.json {
            // Every answer may be one JSON object; a client that takes streams alone could not read it.
            let detail = "accept application/json, alone or beside text/event-stream";
            return error::refusal(StatusCode::NOT_ACCEPTABLE, INVALID_REQUEST, detail, None, &message.id);
        }
        if let Err(busy) = self.published.server.life.admit() {
            return error::failed(&busy.into(), &message.id);
        }
        if let Some(name) = twice(&parts.headers) {
            return ambiguous(name, &message.id);
        }
        if let Some(lane) = &self.lane
            && let Some(answer) = lane.answer(&mut message, (&parts, &body), &principal).await
        {
            return answer;
        }
        // The future of a request is moved before it runs, and what one needs all of them carry; so rmcp's part stands apart.
        Box::pin(self.by_rmcp(&message, (parts, body), principal, accepts, connection)).await
    }

    /// What the lane leaves.
    async fn by_rmcp(
        &self,
        message: &Envelope,
        (mut parts, body): (Parts, Bytes),
        principal: Principal,
        accepts: Accepts,
        connection: Option<&Connection>,
    ) -> Response {
        if let Some(refusal) = version::refused(&parts.headers, message, self.published.versions()) {
            return refusal;
        }
        let answering = self.published.server.life.answering();
        let slot = Slot::default();
        parts.extensions.insert(principal);
        parts.extensions.insert(slot.clone());
        parts.extensions.insert(accepts);
        parts.headers.insert(ACCEPT, BOTH);
        parts.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        parts.headers.insert(CONTENT_LENGTH, HeaderValue::from(body.len()));
        let response = self.route(message, Request::from_parts(parts, Body::from(body)), &slot).await;
        let response = error::dressed(response, &message.id).await;
        let response = if accepts.events { response } else { unstream::answer_only(response, &message.id).await };
        let response = if ends(message) { delivery::keeping(response, answering) } else { response };
        slot.bind(response, connection.cloned())
    }

    /// Sends a message where it belongs: to its session, into a handshake, or to the stateless service.
    async fn route(&self, message: &Envelope, request: Request, slot: &Slot) -> Response {
        let method = message.method();
        // The newer era has no sessions, whatever id a request carries; `initialize` is the older one's in any case.
        let is_modern = !message.says_hello() && is_modern(message, request.headers());
        // rmcp has one table of methods, and answers those of either era in both.
        if let Some(method) = method.filter(|method| is_of_another_era(method, is_modern)) {
            return error::unknown_method(method, is_modern, &message.id);
        }
        let keeping = match &self.keeping {
            Some(keeping) if !is_modern && request.headers().contains_key(SESSION_ID) => {
                return keeping.in_session(message, request).await;
            }
            // What is no handshake is refused alike with sessions and without (B66); rmcp takes it for another method.
            None if message.says_hello() => {
                let params = as_json(&message.params);
                if InitializeRequestParams::deserialize(&params).is_err() {
                    return error::misread("initialize", &params, &message.id);
                }
                return self.without_session(request).await;
            }
            // A server asks on a session, or in the newer era with the answer to a request.
            _ if message.kind == Kind::Response => return error::unasked(),
            Some(keeping) if !is_modern => keeping,
            _ => return self.without_session(request).await,
        };
        match method {
            Some("initialize") => keeping.handshake(message, request, slot).await,
            Some("tools/call") => match self.needs_session(keeping, message) {
                Some(nodeset) => error::session_needed(nodeset, &message.id),
                None => self.without_session(request).await,
            },
            // Lists and discovery need no session and take none.
            _ => self.without_session(request).await,
        }
    }

    async fn without_session(&self, request: Request) -> Response {
        error::boxed(self.stateless.handle(request).await)
    }

    /// The nodeset that refuses this call of the older era, since it came without a session.
    fn needs_session<'a>(&'a self, keeping: &'a Keeping, message: &Envelope) -> Option<&'a str> {
        if let Some(hosted) = keeping.exclusive() {
            return Some(hosted.name());
        }
        let tool = message.params.get("name")?.as_text()?;
        let (hosted, _) = self.published.find(tool)?;
        hosted.needs_session().then(|| hosted.name())
    }
}

/// Whether the answer to a message has an end; a subscription lasts until somebody ends it.
fn ends(message: &Envelope) -> bool {
    message.method() != Some("subscriptions/listen")
}

/// A stream of events ends when the host takes no new work.
fn until(response: Response, drain: CancellationToken) -> Response {
    response.map(|body| Body::from_stream(body.into_data_stream().take_until(drain.cancelled_owned())))
}

/// A header of the protocol that stands twice: a gateway may have looked at the one and rmcp at the other.
fn twice(headers: &HeaderMap) -> Option<&str> {
    // As many values as names: none does.
    if headers.len() == headers.keys_len() {
        return None;
    }
    let mut names = headers.keys().map(HeaderName::as_str).filter(|name| name.starts_with("mcp-"));
    names.find(|name| headers.get_all(*name).iter().nth(1).is_some())
}

fn ambiguous(header: &str, id: &Json) -> Response {
    let message = format!("the header {header} stands twice; send it once");
    error::refusal(StatusCode::BAD_REQUEST, HEADER_MISMATCH, &message, None, id)
}

fn is_modern(message: &Envelope, headers: &HeaderMap) -> bool {
    message.own_version().or(version_of(headers)).is_some_and(is_newer)
}

/// The version that the head of a request names.
fn version_of(headers: &HeaderMap) -> Option<&str> {
    headers.get(version::HEADER)?.to_str().ok()
}

fn is_newer(version: &str) -> bool {
    version > ProtocolVersion::LATEST_WITH_INITIALIZE.as_str()
}

fn is_json(headers: &HeaderMap) -> bool {
    let mut values = headers.get_all(CONTENT_TYPE).iter();
    // Of two a gateway may have read the other.
    let (Some(value), None) = (values.next().and_then(|value| value.to_str().ok()), values.next()) else {
        return false;
    };
    let media = value.split(';').next().unwrap_or_default();
    media.trim().eq_ignore_ascii_case("application/json") && crate::serve::error::call_regime(headers).is_some()
}
