//! Sessions of the older era, each bound to a seat: the only one of an exclusive nodeset, or one of those that a host
//! keeps.

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use futures_util::{Stream, StreamExt as _};
use rmcp::model::{ClientJsonRpcMessage, JsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::common::server_side_http::ServerSseMessage;
use rmcp::transport::streamable_http_server::SessionManager;
use rmcp::transport::streamable_http_server::session::SessionId;
use rmcp::transport::streamable_http_server::session::local::{LocalSessionManager, LocalSessionManagerError};

use serde_json::Value as Json;

use super::lock;
use super::unanswered::{Arrived, Noted, Unanswered};
use crate::session::{Key, SharedLeases, Ticket};

// rmcp creates and resumes a session inside the call that the gate makes, and passes nothing through.
tokio::task_local! {
    /// The handshake that this task runs.
    pub(super) static HANDSHAKE: Handshaking;
    /// Whether the stream that this task resumes is none.
    pub(super) static LOST: Cell<bool>;
}

/// What a session is made of.
#[derive(Clone, Debug)]
pub(super) struct Handshaking {
    /// The reservation of its seat.
    pub(super) ticket: Ticket,
    /// The requests of its client.
    pub(super) unanswered: Unanswered,
}

/// rmcp's sessions, each of which has a seat from its creation to its end.
#[derive(Debug)]
pub(super) struct Sessions {
    local: Arc<LocalSessionManager>,
    leases: SharedLeases,
    requests: Arc<Mutex<HashMap<SessionId, Unanswered>>>,
}

/// Why a session operation failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum SessionsError {
    /// rmcp's own reasons.
    #[error(transparent)]
    Local(#[from] LocalSessionManagerError),
    /// A session without a reservation would be one too many.
    #[error("the handshake lost its reservation")]
    Unreserved,
}

impl Sessions {
    /// Sessions on these seats.
    pub(super) fn new(leases: SharedLeases) -> Self {
        let mut local = LocalSessionManager::default();
        // Our reaper knows calls in flight; rmcp's clock does not, and would cut a long call.
        local.session_config.keep_alive = None;
        Self { local: Arc::new(local), leases, requests: Arc::default() }
    }

    /// Notes a request on a session; none where its id names one without an answer.
    pub(super) fn begin(&self, session: &str, id: &Json, method: &str) -> Option<Arrived> {
        self.requests_of(session).begin(id, method)
    }

    /// The requests on a session; none where it has just ended.
    fn requests_of(&self, session: &str) -> Unanswered {
        lock(&self.requests).get(session).cloned().unwrap_or_default()
    }

    /// Ends a session that has lost its seat.
    pub(super) async fn end(&self, key: &Key) {
        let Key::Session(id) = key else { return };
        if let Err(error) = self.close_session(id).await {
            tracing::debug!(%error, "a session did not close");
        }
    }
}

impl SessionManager for Sessions {
    type Error = SessionsError;
    type Transport = Noted<<LocalSessionManager as SessionManager>::Transport>;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), Self::Error> {
        let (id, transport) = self.local.create_session().await?;
        let handshake = HANDSHAKE.try_with(Handshaking::clone).ok();
        let key = Key::Session(id.clone());
        let handshake = handshake.filter(|handshake| self.leases.promote(handshake.ticket, key));
        let Some(Handshaking { unanswered, .. }) = handshake else {
            self.local.close_session(&id).await?;
            return Err(SessionsError::Unreserved);
        };
        lock(&self.requests).insert(id.clone(), unanswered.clone());
        Ok((id, Noted { transport, unanswered }))
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, Self::Error> {
        Ok(self.local.initialize_session(id, message).await?)
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, Self::Error> {
        Ok(self.local.has_session(id).await?)
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), Self::Error> {
        // Called on DELETE and on every other end of a session. The seat goes first: calls that still run keep it
        // draining, and none can begin any more.
        if let Some(pass) = self.leases.find(&Key::Session(id.clone())) {
            pass.release();
            if !pass.has_ended() {
                // The session carries the answers of the calls that still run, so it ends after them; who asked for
                // the end does not wait for it.
                let (local, requests, id) = (Arc::clone(&self.local), Arc::clone(&self.requests), id.clone());
                tokio::spawn(async move {
                    pass.ended().await;
                    lock(&requests).remove(&id);
                    if let Err(error) = local.close_session(&id).await {
                        tracing::debug!(%error, "a session did not close");
                    }
                });
                return Ok(());
            }
        }
        lock(&self.requests).remove(id);
        Ok(self.local.close_session(id).await?)
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        // Until its answer is out, a request keeps the seat: the handler's own guard ends a step earlier.
        let answering = self.leases.find(&Key::Session(id.clone())).and_then(|pass| pass.begin());
        let unanswered = self.requests_of(id);
        unanswered.received(&message);
        let request = if let JsonRpcMessage::Request(request) = &message { Some(request.id.clone()) } else { None };
        let stream = self.local.create_stream(id, message).await;
        if let (Err(_), Some(request)) = (&stream, &request) {
            unanswered.lost(request);
        }
        Ok(stream?.inspect(move |_| {
            let _ = &answering;
        }))
    }

    async fn accept_message(&self, id: &SessionId, message: ClientJsonRpcMessage) -> Result<(), Self::Error> {
        Ok(self.local.accept_message(id, message).await?)
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        Ok(self.local.create_standalone_stream(id).await?)
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        let resumed = self.local.resume(id, last_event_id).await;
        if resumed.is_err() {
            // rmcp opens an empty stream then; whoever asked is told, where it asks through the gate.
            let _ = LOST.try_with(|lost| lost.set(true));
        }
        Ok(resumed?)
    }
}
