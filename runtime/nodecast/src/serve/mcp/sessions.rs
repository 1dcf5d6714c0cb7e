//! Sessions of the older era, each bound to a seat: the only one of an exclusive nodeset, or one of those that a host
//! keeps.

use std::sync::Arc;

use futures_util::{Stream, StreamExt as _};
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::common::server_side_http::ServerSseMessage;
use rmcp::transport::streamable_http_server::SessionManager;
use rmcp::transport::streamable_http_server::session::SessionId;
use rmcp::transport::streamable_http_server::session::local::{LocalSessionManager, LocalSessionManagerError};

use crate::session::{Key, SharedLeases, Ticket};

tokio::task_local! {
    /// The reservation under which the handshake of this task runs.
    ///
    /// rmcp creates the session inside the call that the gate makes, and passes nothing through.
    pub(super) static TICKET: Ticket;
}

/// rmcp's sessions, each of which has a seat from its creation to its end.
#[derive(Debug)]
pub(super) struct Sessions {
    local: Arc<LocalSessionManager>,
    leases: SharedLeases,
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
        Self { local: Arc::new(local), leases }
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
    type Transport = <LocalSessionManager as SessionManager>::Transport;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), Self::Error> {
        let (id, transport) = self.local.create_session().await?;
        let key = Key::Session(id.clone());
        if !TICKET.try_with(|ticket| self.leases.promote(*ticket, key)).unwrap_or(false) {
            self.local.close_session(&id).await?;
            return Err(SessionsError::Unreserved);
        }
        Ok((id, transport))
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
                let (local, id) = (Arc::clone(&self.local), id.clone());
                tokio::spawn(async move {
                    pass.ended().await;
                    if let Err(error) = local.close_session(&id).await {
                        tracing::debug!(%error, "a session did not close");
                    }
                });
                return Ok(());
            }
        }
        Ok(self.local.close_session(id).await?)
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        // Until its answer is out, a request keeps the seat: the handler's own guard ends a step earlier.
        let answering = self.leases.find(&Key::Session(id.clone())).and_then(|pass| pass.begin());
        let stream = self.local.create_stream(id, message).await?;
        Ok(stream.inspect(move |_| {
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
        Ok(self.local.resume(id, last_event_id).await?)
    }
}
