//! The older era: requests of the server on the client's session.

use futures_util::future::try_join_all;
use rmcp::model::{CancelledNotificationParam, ClientCapabilities, RequestId};
use rmcp::service::{PeerRequestOptions, ServiceError};
use rmcp::{Peer, RoleServer};
use serde_json::Value as Json;

use super::{TRIES, can, convert, lacks, wrong_answer};
use crate::Error;
use crate::call::{Ability, Asker, BoxFuture, Question, Request, Stage};

/// The session of a client.
pub(in crate::serve::mcp) struct Session {
    peer: Peer<RoleServer>,
    capabilities: ClientCapabilities,
}

impl Session {
    pub(super) fn new(peer: Peer<RoleServer>, capabilities: ClientCapabilities) -> Self {
        Self { peer, capabilities }
    }

    async fn put(&self, question: &Question) -> Result<Json, Error> {
        let mut request = question.request.clone();
        let mut problem = String::new();
        for _ in 0..TRIES {
            let answer = self.send(&request).await?;
            match question.check(&answer) {
                Ok(()) => return Ok(answer),
                Err(wrong) => {
                    request = question.again(&wrong);
                    problem = wrong;
                }
            }
        }
        Err(wrong_answer(question, &problem))
    }

    async fn send(&self, request: &Request) -> Result<Json, Error> {
        let method = request.method();
        let sent = self.peer.send_cancellable_request(convert::request(request)?, PeerRequestOptions::default()).await;
        let handle = sent.map_err(|error| failed(method, &error))?;
        let mut withdrawn = Withdrawn { peer: self.peer.clone(), id: Some(handle.id.clone()) };
        let answer = handle.await_response().await;
        withdrawn.id = None;
        let answer = answer.map_err(|error| failed(method, &error))?;
        serde_json::to_value(answer).map_err(|error| Error::at(Stage::InternalRuntime, "bad_answer", error.to_string()))
    }
}

impl Asker for Session {
    fn can(&self, ability: Ability) -> bool {
        can(&self.capabilities, ability)
    }

    fn ask<'a>(&'a self, questions: &'a [Question]) -> BoxFuture<'a, Result<Vec<Json>, Error>> {
        Box::pin(async move {
            if let Some(lacking) = questions.iter().map(|question| question.request.needs()).find(|it| !self.can(*it)) {
                return Err(lacks(lacking));
            }
            try_join_all(questions.iter().map(|question| self.put(question))).await
        })
    }
}

/// A question that nobody waits for any more; the client is told, unless it has answered.
struct Withdrawn {
    peer: Peer<RoleServer>,
    id: Option<RequestId>,
}

impl Drop for Withdrawn {
    fn drop(&mut self) {
        let (Some(id), Ok(runtime)) = (self.id.take(), tokio::runtime::Handle::try_current()) else { return };
        let peer = self.peer.clone();
        runtime.spawn(async move {
            let notice = CancelledNotificationParam::new(Some(id), Some("the call has ended".to_owned()));
            // Who is gone needs no word.
            let _ = peer.notify_cancelled(notice).await;
        });
    }
}

fn failed(method: &str, error: &ServiceError) -> Error {
    let (kind, detail) = match error {
        ServiceError::McpError(refusal) => {
            ("client_refused", format!("the client refused `{method}`: {}", refusal.message))
        }
        _ => ("client_gone", format!("the client did not answer `{method}`: {error}")),
    };
    Error::new(kind, detail).stage_of(Stage::ExternalService)
}
