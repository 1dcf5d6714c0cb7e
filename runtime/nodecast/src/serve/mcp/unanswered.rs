//! The requests of one client that have no answer yet.
//!
//! On a connection that outlives its requests, answers find their way by the id alone. So an id names one request at a
//! time: a second one under it would be given the answer of the first, and the first would wait for ever.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex};

use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, ClientNotification, JsonRpcMessage, RequestId, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::Value as Json;
use tokio_util::sync::CancellationToken;

use super::lock;

/// The methods whose requests run for a while, and can be cancelled meanwhile.
const RUNNING: [&str; 4] = ["completion/complete", "prompts/get", "resources/read", "tools/call"];

/// The requests of one client; cloning shares.
#[derive(Clone, Debug, Default)]
pub(in crate::serve) struct Unanswered(Arc<Mutex<HashMap<RequestId, Stage>>>);

/// How far a request has come.
#[derive(Debug)]
enum Stage {
    /// Read, and on its way to where it is answered.
    Arrived { runs: bool },
    /// There, and not begun.
    Waits { runs: bool },
    /// Runs until this is cancelled.
    Runs(CancellationToken),
    /// Its client wants no answer any more; the run may not have noticed.
    Cancelled,
}

impl Unanswered {
    /// Notes a request that was read; none where its id names one without an answer.
    pub(in crate::serve) fn begin(&self, id: &Json, method: &str) -> Option<Arrived> {
        // What is no id has been refused before.
        let id: RequestId = serde_json::from_value(id.clone()).ok()?;
        match lock(&self.0).entry(id.clone()) {
            Entry::Occupied(_) => None,
            Entry::Vacant(vacant) => {
                vacant.insert(Stage::Arrived { runs: RUNNING.contains(&method) });
                Some(Arrived { unanswered: self.clone(), id })
            }
        }
    }

    /// A request is where it is answered, or told that its client does not want that.
    pub(super) fn received(&self, message: &ClientJsonRpcMessage) {
        match message {
            JsonRpcMessage::Request(request) => {
                if let Some(stage) = lock(&self.0).get_mut(&request.id)
                    && let Stage::Arrived { runs } = *stage
                {
                    *stage = Stage::Waits { runs };
                }
            }
            JsonRpcMessage::Notification(notice) => {
                if let ClientNotification::CancelledNotification(cancelled) = &notice.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.cancelled(id);
                }
            }
            JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_) => {}
        }
    }

    /// An answer goes out.
    pub(super) fn sent(&self, message: &ServerJsonRpcMessage) {
        let id = match message {
            JsonRpcMessage::Response(response) => Some(&response.id),
            JsonRpcMessage::Error(error) => error.id.as_ref(),
            JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => None,
        };
        if let Some(id) = id {
            lock(&self.0).remove(id);
        }
    }

    /// A cancelled request gets no answer. Its id stays taken while it may still run: what comes of it would be taken
    /// for the answer to another request under the same id.
    fn cancelled(&self, id: &RequestId) {
        let mut requests = lock(&self.0);
        match requests.get_mut(id) {
            Some(Stage::Arrived { runs: false } | Stage::Waits { runs: false }) => {
                requests.remove(id);
            }
            Some(stage) => {
                if let Stage::Runs(token) = stage {
                    token.cancel();
                }
                *stage = Stage::Cancelled;
            }
            None => {}
        }
    }

    /// A request got no further than where it was to be answered.
    pub(super) fn lost(&self, id: &RequestId) {
        lock(&self.0).remove(id);
    }

    /// The request begins to run; `token` is cancelled when its client wants it no longer.
    pub(super) fn run(&self, id: &RequestId, token: CancellationToken) -> Run {
        match lock(&self.0).get_mut(id) {
            Some(Stage::Cancelled) => token.cancel(),
            Some(stage) => *stage = Stage::Runs(token.clone()),
            // Of a client that is known by this one request.
            None => {}
        }
        Run { unanswered: self.clone(), id: id.clone(), token }
    }
}

/// A request that was read. Dropped before it is where it is answered, its id names nothing.
#[derive(Debug)]
pub(in crate::serve) struct Arrived {
    unanswered: Unanswered,
    id: RequestId,
}

impl Arrived {
    /// It cannot get lost any more.
    pub(in crate::serve) fn forget(self) {
        if let Some(stage) = lock(&self.unanswered.0).get_mut(&self.id)
            && let Stage::Arrived { runs } = *stage
        {
            *stage = Stage::Waits { runs };
        }
    }
}

impl Drop for Arrived {
    fn drop(&mut self) {
        let mut requests = lock(&self.unanswered.0);
        if let Some(Stage::Arrived { .. }) = requests.get(&self.id) {
            requests.remove(&self.id);
        }
    }
}

/// A request that runs, until it is dropped.
#[derive(Debug)]
pub(super) struct Run {
    unanswered: Unanswered,
    id: RequestId,
    /// Cancelled when nobody wants its answer.
    pub(super) token: CancellationToken,
}

impl Drop for Run {
    fn drop(&mut self) {
        let mut requests = lock(&self.unanswered.0);
        // Its answer is on the way unless nobody wants one.
        if let Some(Stage::Cancelled) = requests.get(&self.id) {
            requests.remove(&self.id);
        }
    }
}

/// The sentence for a second request under an id.
pub(in crate::serve) fn taken(id: &Json) -> String {
    format!("the request {id} of this client has no answer yet; give each request an id of its own")
}

/// A transport whose requests are noted.
pub(in crate::serve) struct Noted<T> {
    pub(in crate::serve) transport: T,
    pub(in crate::serve) unanswered: Unanswered,
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for Noted<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.unanswered.sent(&message);
        self.transport.send(message)
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        let message = self.transport.receive().await;
        if let Some(message) = &message {
            self.unanswered.received(message);
        }
        message
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.transport.close().await
    }
}

#[cfg(test)]
mod tests {
    use rmcp::model::NumberOrString;
    use serde_json::json;

    use super::*;

    fn message(message: Json) -> ClientJsonRpcMessage {
        serde_json::from_value(message).unwrap()
    }

    fn request(id: &Json) -> ClientJsonRpcMessage {
        message(json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": "a" } }))
    }

    fn cancel(id: &Json) -> ClientJsonRpcMessage {
        message(json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } }))
    }

    fn answer(id: &Json) -> ServerJsonRpcMessage {
        serde_json::from_value(json!({ "jsonrpc": "2.0", "id": id, "result": {} })).unwrap()
    }

    #[test]
    fn t10_an_id_names_one_request_until_its_answer() {
        let unanswered = Unanswered::default();
        let (number, text) = (json!(7), json!("7"));
        drop(unanswered.begin(&number, "tools/call").unwrap());
        let first = unanswered.begin(&number, "tools/call").unwrap();
        assert!(unanswered.begin(&number, "tools/call").is_none());
        assert!(unanswered.begin(&text, "tools/call").is_some(), "another id");
        unanswered.received(&request(&number));
        drop(first);
        assert!(unanswered.begin(&number, "tools/list").is_none(), "it waits for its answer");
        unanswered.sent(&answer(&number));
        assert!(unanswered.begin(&number, "tools/call").is_some());
    }

    #[test]
    fn b59_a_cancelled_call_keeps_its_id_while_it_runs() {
        let (unanswered, id) = (Unanswered::default(), json!(7));
        let is_free = || unanswered.begin(&id, "tools/call").is_some();
        let begin = || {
            let arrived = unanswered.begin(&id, "tools/call").unwrap();
            unanswered.received(&request(&id));
            drop(arrived);
            CancellationToken::new()
        };
        // While it runs, and before it has begun.
        let token = begin();
        let run = unanswered.run(&NumberOrString::Number(7), token.clone());
        unanswered.received(&cancel(&id));
        assert!(token.is_cancelled() && !is_free());
        drop(run);
        assert!(is_free());
        let token = begin();
        unanswered.received(&cancel(&id));
        assert!(!is_free());
        let run = unanswered.run(&NumberOrString::Number(7), token.clone());
        assert!(token.is_cancelled());
        drop(run);
        assert!(is_free());
    }

    #[test]
    fn b59_a_cancelled_list_is_over() {
        let (unanswered, id) = (Unanswered::default(), json!("a"));
        let arrived = unanswered.begin(&id, "tools/list").unwrap();
        unanswered.received(&cancel(&id));
        drop(arrived);
        assert!(unanswered.begin(&id, "tools/list").is_some());
    }
}
