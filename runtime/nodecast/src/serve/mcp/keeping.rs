//! The sessions of one face: the only holder's of an exclusive nodeset, or as many as a host keeps (`mcp.md` 4).

use std::cell::Cell;
use std::sync::Arc;

use axum::extract::Request;
use axum::response::Response;
use http::header::CONTENT_TYPE;
use http::{HeaderValue, Method, StatusCode};
use rmcp::model::InitializeRequestParams;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde::Deserialize as _;
use serde_json::Value as Json;
use tokio_util::sync::CancellationToken;

use super::envelope::{Envelope, Kind, as_json};
use super::handler::{Handler, Reach};
use super::published::Published;
use super::sessions::{HANDSHAKE, Handshaking, LOST, Sessions};
use super::unanswered::Unanswered;
use super::{SESSION_ID, alive, error};
use crate::decl;
use crate::serve::delivery::Slot;
use crate::serve::edge::Principal;
use crate::serve::server::Hosted;
use crate::session::{Holder, Key, Pass, Reservation, SharedLeases};

/// The sessions of one face.
pub(super) struct Keeping {
    /// The seats: one of an exclusive nodeset, whose lease this is.
    leases: SharedLeases,
    sessions: Arc<Sessions>,
    service: StreamableHttpService<Handler, Sessions>,
    /// The nodeset that one client at a time holds; none where sessions are merely kept.
    exclusive: Option<Arc<Hosted>>,
}

impl Keeping {
    /// The sessions that the nodesets of a face ask for; none where they ask for none.
    pub(super) fn new(
        published: &Arc<Published>,
        exclusive: Option<&Arc<Hosted>>,
        config: StreamableHttpServerConfig,
    ) -> Option<Self> {
        let options = &published.server.options;
        let leases = match exclusive {
            Some(hosted) => hosted.lease.clone()?,
            None if published.keeps_sessions() => SharedLeases::new(options.max_sessions, options.idle_timeout),
            None => return None,
        };
        let sessions = Arc::new(Sessions::new(leases.clone()));
        let of_session = published.clone();
        let service = StreamableHttpService::new(
            move || {
                // A session is made by its handshake alone.
                let unanswered = HANDSHAKE.try_with(|handshake| handshake.unanswered.clone()).unwrap_or_default();
                Ok(Handler::new(of_session.clone(), Reach::Lasting, unanswered))
            },
            sessions.clone(),
            config,
        );
        Some(Self { leases, sessions, service, exclusive: exclusive.cloned() })
    }

    /// The nodeset that one client at a time holds.
    pub(super) fn exclusive(&self) -> Option<&Hosted> {
        self.exclusive.as_deref()
    }

    /// How many sessions are open.
    pub(super) fn open(&self) -> usize {
        self.leases.taken()
    }

    /// A message with a session id.
    pub(super) async fn in_session(&self, message: &Envelope, request: Request) -> Response {
        let session = match (self.admit(&request), session(&request)) {
            (Some(_), Some(session)) => session.to_owned(),
            _ => return error::no_session(&message.id),
        };
        let _arrived = match &message.kind {
            Kind::Response if alive::is_answer(&message.id) => return error::accepted(),
            Kind::Response | Kind::Notification => None,
            Kind::Request(method) => match self.sessions.begin(&session, &message.id, method) {
                Some(arrived) => Some(arrived),
                None => return error::id_taken(&message.id),
            },
        };
        self.serve(request).await
    }

    /// Takes a seat before the session exists, so that of many simultaneous handshakes no more succeed than there are.
    pub(super) async fn handshake(&self, message: &Envelope, request: Request, slot: &Slot) -> Response {
        let params = as_json(&message.params);
        let client = match InitializeRequestParams::deserialize(&params) {
            Ok(params) => params.client_info,
            Err(_) => return error::misread("initialize", &params, &message.id),
        };
        let holder =
            Holder::new(principal(&request).map(str::to_owned), &format!("{} {}", client.name, client.version));
        let reservation = match self.leases.reserve(holder) {
            Ok(reservation) => reservation,
            Err(busy) => {
                return match &self.exclusive {
                    Some(hosted) => error::held(hosted.name(), &busy, &message.id),
                    None => error::no_seat(&busy, &message.id),
                };
            }
        };
        let making = Handshaking { ticket: reservation.ticket(), unanswered: Unanswered::default() };
        // From here on every way out but the last one frees the seat, a client that hangs up included.
        let handshake = Handshake { reservation: Some(reservation), sessions: self.sessions.clone() };
        let response = HANDSHAKE.scope(making, self.serve(request)).await;
        if response.status().is_success() && response.headers().contains_key(SESSION_ID) {
            handshake.succeed(slot);
        }
        response
    }

    pub(super) async fn get_or_delete(&self, request: Request) -> Response {
        if request.headers().contains_key(SESSION_ID) && self.admit(&request).is_none() {
            return error::no_session(&Json::Null);
        }
        let is_stream = request.method() == Method::GET;
        let serving = async {
            let response = self.serve(request).await;
            (response, LOST.with(Cell::get))
        };
        let (response, is_lost) = LOST.scope(Cell::new(false), serving).await;
        if is_lost {
            return error::no_event();
        }
        let mut response = error::dressed(response, &Json::Null).await;
        if !is_stream && response.status() == StatusCode::ACCEPTED {
            // The session has ended; SDKs take rmcp's 202 for a failure.
            *response.status_mut() = StatusCode::OK;
        }
        let streams = response.headers().get(CONTENT_TYPE).is_some_and(is_event_stream);
        if is_stream && streams {
            return response.map(|body| alive::asking(body, self.leases.idle_limit()));
        }
        response
    }

    /// Ends the sessions of idle holders until the host closes.
    pub(super) fn reap(&self, close: CancellationToken) -> impl Future<Output = ()> + Send + 'static {
        let (leases, sessions) = (self.leases.clone(), self.sessions.clone());
        let nodeset = self.exclusive().map(|hosted| hosted.name().to_owned());
        async move {
            loop {
                let key = tokio::select! {
                    () = close.cancelled() => return,
                    key = leases.reaped() => key,
                };
                if let Some(nodeset) = &nodeset {
                    tracing::info!(nodeset, "took the lease from an idle client");
                } else {
                    tracing::debug!("ended an idle session");
                }
                sessions.end(&key).await;
            }
        }
    }

    /// The session of a request, if it is there and its principal's; counts as a sign of life.
    fn admit(&self, request: &Request) -> Option<Pass> {
        self.leases.admit(&Key::Session(session(request)?.into()), principal(request))
    }

    async fn serve(&self, request: Request) -> Response {
        error::boxed(self.service.handle(request).await)
    }
}

impl Hosted {
    /// Whether a call of the older era without a session is refused.
    pub(super) fn needs_session(&self) -> bool {
        self.catalog.sessions == decl::Sessions::Required
    }
}

/// A handshake under way; frees the seat and ends the half-made session unless it succeeds.
struct Handshake {
    reservation: Option<Reservation>,
    sessions: Arc<Sessions>,
}

impl Handshake {
    /// The client has a session, if it gets to read the answer.
    fn succeed(mut self, slot: &Slot) {
        let Some(pass) = self.reservation.take().map(Reservation::keep) else { return };
        let sessions = self.sessions.clone();
        slot.put(move || {
            let key = pass.key();
            if pass.release_unused() {
                end(sessions, key);
            }
        });
    }
}

impl Drop for Handshake {
    fn drop(&mut self) {
        let Some(reservation) = self.reservation.take() else { return };
        let key = reservation.key();
        drop(reservation);
        end(self.sessions.clone(), key);
    }
}

/// Ends a session whose seat is free again, outside of whatever is being dropped.
fn end(sessions: Arc<Sessions>, key: Option<Key>) {
    // Without a runtime, the host has ended.
    if let (Some(key), Ok(runtime)) = (key, tokio::runtime::Handle::try_current()) {
        runtime.spawn(async move { sessions.end(&key).await });
    }
}

fn session(request: &Request) -> Option<&str> {
    request.headers().get(SESSION_ID)?.to_str().ok()
}

fn principal(request: &Request) -> Option<&str> {
    request.extensions().get::<Principal>()?.0.as_deref()
}

fn is_event_stream(media: &HeaderValue) -> bool {
    media.as_bytes().starts_with(b"text/event-stream")
}
