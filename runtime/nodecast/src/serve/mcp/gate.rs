//! The gate before rmcp: what is a message, who holds the lease, and answers in JSON where rmcp has none
//! (`mcp.md` 4 to 6).

use std::sync::Arc;

use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use http::header::{ACCEPT, CONTENT_LENGTH, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use http_body_util::BodyExt;
use rmcp::model::{InitializeRequestParams, ProtocolVersion};
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::Value as Json;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::accept::Accepts;
use super::envelope::{Envelope, INVALID_PARAMS, INVALID_REQUEST, Malformed};
use super::handler::{Handler, Reach};
use super::published::Published;
use super::sessions::{Sessions, TICKET};
use super::{SESSION_ID, error, unstream};
use crate::serve::body;
use crate::serve::edge::Principal;
use crate::serve::server::Hosted;
use crate::session::{Holder, Key, Reservation};

/// What rmcp insists on, whatever the client took.
const BOTH: HeaderValue = HeaderValue::from_static("application/json, text/event-stream");
/// The code of a session that is not there; HTTP's own number.
const NO_SESSION: i32 = 404;
/// A client may call itself anything; so much of it is shown to others.
const MAX_LABEL: usize = 80;

type Service = StreamableHttpService<Handler, Sessions>;

/// `/mcp` of one face.
pub(in crate::serve) struct Gate {
    published: Arc<Published>,
    /// Requests without a session: all of an open face, and the harmless ones of an exclusive nodeset.
    stateless: Service,
    /// The only holder's session, on an exclusive nodeset.
    exclusive: Option<Exclusive>,
    /// Sessions, streams and the reaper end with the gate.
    _close: DropGuard,
}

struct Exclusive {
    hosted: Arc<Hosted>,
    sessions: Arc<Sessions>,
    service: Service,
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
        let stateless = Service::new(
            move || Ok(Handler::new(of_request.clone(), Reach::Request)),
            Arc::new(Sessions::new(None)),
            config().with_legacy_session_mode(false),
        );
        let exclusive = exclusive.map(|hosted| {
            let sessions = Arc::new(Sessions::new(hosted.lease.clone()));
            let of_session = published.clone();
            let service = Service::new(
                move || Ok(Handler::new(of_session.clone(), Reach::Lasting)),
                sessions.clone(),
                config().with_legacy_session_mode(true),
            );
            Exclusive { hosted: hosted.clone(), sessions, service }
        });
        if let Some(Exclusive { hosted, sessions, .. }) = &exclusive {
            tokio::spawn(reap(hosted.clone(), sessions.clone(), close.clone()));
        }
        Self { published, stateless, exclusive, _close: close.drop_guard() }
    }

    pub(in crate::serve) async fn handle(&self, request: Request) -> Response {
        match (request.method(), &self.exclusive) {
            (&Method::POST, _) => self.post(request).await,
            (&Method::GET | &Method::DELETE, Some(exclusive)) => exclusive.get_or_delete(request).await,
            (_, Some(_)) => error::wrong_method("GET, POST, DELETE"),
            (_, None) => error::wrong_method("POST"),
        }
    }

    async fn post(&self, request: Request) -> Response {
        let (mut parts, body) = request.into_parts();
        let accepts = Accepts::of(&parts.headers);
        if !accepts.json && !accepts.events {
            let message = "accept application/json, text/event-stream, or both";
            return error::refusal(StatusCode::NOT_ACCEPTABLE, INVALID_REQUEST, message, None, &Json::Null);
        }
        if !is_json(&parts.headers) {
            let message = "send application/json, in UTF-8";
            return error::refusal(StatusCode::UNSUPPORTED_MEDIA_TYPE, INVALID_REQUEST, message, None, &Json::Null);
        }
        if let Err(busy) = self.published.server.life.admit() {
            return error::failed(&busy.into(), &Json::Null);
        }
        let body = match body::read(&parts.headers, body, self.published.server.options.max_mcp_body).await {
            Ok(body) => body,
            Err(failure) => return error::failed(&failure, &Json::Null),
        };
        let message = match Envelope::parse(&body) {
            Ok(message) => message,
            Err(malformed) => return error::malformed(&malformed),
        };
        parts.headers.insert(ACCEPT, BOTH);
        parts.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        parts.headers.insert(CONTENT_LENGTH, HeaderValue::from(body.len()));
        let request = Request::from_parts(parts, Body::from(body));
        let response = match &self.exclusive {
            Some(exclusive) => exclusive.route(&self.stateless, &message, request).await,
            None => serve(&self.stateless, request).await,
        };
        let response = error::dressed(response, &message.id).await;
        if accepts.events { response } else { unstream::answer_only(response, &message.id).await }
    }
}

impl Exclusive {
    /// Sends a message where it belongs: to the holder's session, into a handshake, or to the stateless service.
    async fn route(&self, stateless: &Service, message: &Envelope, request: Request) -> Response {
        if let Some(id) = request.headers().get(SESSION_ID) {
            return match self.holds(id) {
                Some(_) => serve(&self.service, request).await,
                None => no_session(&message.id),
            };
        }
        match message.method() {
            Some("initialize") => self.handshake(message, request).await,
            Some("tools/call") if !is_modern(message, request.headers()) => {
                let text = format!(
                    "`{}` serves one client at a time: send `initialize` first, and its Mcp-Session-Id with every call",
                    self.hosted.name()
                );
                error::refusal(StatusCode::BAD_REQUEST, INVALID_REQUEST, &text, None, &message.id)
            }
            // Lists and discovery need no lease and take none.
            _ => serve(stateless, request).await,
        }
    }

    /// Reserves the lease before the session exists, so that of many simultaneous handshakes one wins.
    async fn handshake(&self, message: &Envelope, request: Request) -> Response {
        let client = match serde_json::from_value::<InitializeRequestParams>(message.params.clone()) {
            Ok(params) => params.client_info,
            Err(reason) => {
                let reason = format!("the parameters of initialize are not what the protocol says: {reason}");
                return error::malformed(&Malformed { code: INVALID_PARAMS, reason, id: message.id.clone() });
            }
        };
        let Some(lease) = &self.hosted.lease else { return serve(&self.service, request).await };
        let principal = request.extensions().get::<Principal>().and_then(|principal| principal.0.clone());
        let label = format!("{} {}", client.name, client.version).chars().take(MAX_LABEL).collect();
        let reservation = match lease.reserve(Holder { principal, label }) {
            Ok(reservation) => reservation,
            Err(busy) => return error::held(self.hosted.name(), &busy, &message.id),
        };
        // From here on every way out but the last one frees the lease, a client that hangs up included.
        let handshake = Handshake { reservation: Some(reservation), sessions: self.sessions.clone() };
        let Some(ticket) = handshake.reservation.as_ref().map(Reservation::ticket) else {
            return no_session(&message.id);
        };
        let response = TICKET.scope(ticket, serve(&self.service, request)).await;
        if response.status().is_success() && response.headers().contains_key(SESSION_ID) {
            handshake.succeed();
        }
        response
    }

    async fn get_or_delete(&self, request: Request) -> Response {
        let held = request.headers().get(SESSION_ID).and_then(|id| self.holds(id));
        let is_stream = request.method() == Method::GET;
        if is_stream && held.is_none() && request.headers().contains_key(SESSION_ID) {
            return no_session(&Json::Null);
        }
        let response = error::dressed(serve(&self.service, request).await, &Json::Null).await;
        match (held, self.hosted.lease.clone()) {
            // A stream counts as life while the peer takes what comes through it, keep-alives included.
            (Some(key), Some(lease)) if is_stream => response.map(|body| {
                Body::new(body.map_frame(move |frame| {
                    lease.touch(&key);
                    frame
                }))
            }),
            _ => response,
        }
    }

    /// The key of this session, if it holds the lease; counts as a sign of life.
    fn holds(&self, id: &HeaderValue) -> Option<Key> {
        let key = Key::Session(id.to_str().ok()?.into());
        self.hosted.lease.as_ref()?.touch(&key).then_some(key)
    }
}

/// A handshake under way; frees the lease and ends the half-made session unless it succeeds.
struct Handshake {
    reservation: Option<Reservation>,
    sessions: Arc<Sessions>,
}

impl Handshake {
    fn succeed(mut self) {
        if let Some(reservation) = self.reservation.take() {
            reservation.keep();
        }
    }
}

impl Drop for Handshake {
    fn drop(&mut self) {
        let Some(key) = self.reservation.take().and_then(Reservation::abandon) else { return };
        let sessions = self.sessions.clone();
        tokio::spawn(async move { sessions.end(&key).await });
    }
}

/// Ends the sessions of idle holders until the host closes.
async fn reap(hosted: Arc<Hosted>, sessions: Arc<Sessions>, close: CancellationToken) {
    let Some(lease) = &hosted.lease else { return };
    loop {
        let key = tokio::select! {
            () = close.cancelled() => return,
            key = lease.reaped() => key,
        };
        tracing::info!(nodeset = hosted.name(), "took the lease from an idle client");
        sessions.end(&key).await;
    }
}

async fn serve(service: &Service, request: Request) -> Response {
    error::boxed(service.handle(request).await)
}

fn no_session(id: &Json) -> Response {
    let message = "there is no such session; it has ended or idled too long, so initialize a new one";
    error::refusal(StatusCode::NOT_FOUND, NO_SESSION, message, None, id)
}

fn is_modern(message: &Envelope, headers: &HeaderMap) -> bool {
    let header = headers.get("mcp-protocol-version").and_then(|version| version.to_str().ok());
    let newest_older = ProtocolVersion::LATEST_WITH_INITIALIZE;
    message.own_version().or(header).is_some_and(|version| version > newest_older.as_str())
}

fn is_json(headers: &HeaderMap) -> bool {
    let Some(value) = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()) else { return false };
    let media = value.split(';').next().unwrap_or_default();
    media.trim().eq_ignore_ascii_case("application/json") && crate::serve::error::call_regime(headers).is_some()
}
