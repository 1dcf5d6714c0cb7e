//! What other threads see of a graph: snapshots, and the way of a message to it.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use nodecast::call::{BoxFuture, Stage};
use nodecast::{Error, Value};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::expose::{Expose, Exposed};
use crate::host::{Door, here};
use crate::message::{self, Message, Messages, NoMessages, Rejected};
use crate::publish::Published;
use crate::sequence::{Asked, Of, Ran, Sender, Sequence, Then};
use crate::snapshot::{Name, Publication, Snapshot};

/// A running application as other threads see it; clones are the same. It does not keep its host open.
pub struct Live<M = NoMessages> {
    shared: Arc<Shared>,
    sender: Arc<dyn Sender<M>>,
}

/// The same without the type of the messages.
pub(crate) struct Shared {
    pub(crate) door: Door,
    pub(crate) published: Arc<Published>,
    names: Vec<Name>,
    nodes: Vec<Name>,
    messages: Option<Arc<Messages>>,
    sequence: Box<dyn Sequence>,
}

impl<M: Message> Live<M> {
    /// What is seen of `app` through `door`; nothing is published yet.
    pub(crate) fn new<V: Expose>(door: Door, app: &App<M, V>, exposed: &[Exposed]) -> Result<Self, Error> {
        let of_kind = |is_value: bool| {
            let all = exposed.iter().filter(move |exposed| exposed.encode.is_some() == is_value);
            all.map(|exposed| exposed.name.clone()).collect::<Vec<_>>()
        };
        let names = of_kind(true);
        let shared = Shared {
            door,
            published: Arc::new(Published::new(names.as_slice().into())),
            names,
            nodes: of_kind(false),
            messages: message::taken::<M>(app.takes_messages())?,
            sequence: Box::new(Of::<M, V>::new()),
        };
        Ok(Self { shared: Arc::new(shared), sender: Arc::new(Of::<M, V>::new()) })
    }

    /// Dispatches a message by the name and the arguments that a client would send; gives the snapshot after it and its
    /// effects.
    pub async fn dispatch(&self, name: &str, args: serde_json::Value) -> Result<Arc<Snapshot>, Rejected> {
        let asked = Asked { message: name.to_owned(), args: Value::from(args), pointer: "/args".to_owned() };
        let ran = self.shared.run(vec![Ok(asked)], CancellationToken::new(), None)?.await?;
        match ran.rejected {
            Some(rejected) => Err(rejected),
            None => Ok(ran.snapshot),
        }
    }

    /// Dispatches a message; gives the snapshot after it and its effects.
    pub async fn send(&self, message: M) -> Result<Arc<Snapshot>, Rejected> {
        self.sender.send(&self.shared.door, message).await
    }
}

impl<M> Live<M> {
    /// The newest snapshot; takes no lock, and never enters the graph.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.shared.published.snapshot()
    }

    /// The first snapshot of this version or a later one; none where none came in time, or before the host's end.
    pub async fn wait_version(&self, version: u64, timeout: Duration) -> Option<Arc<Snapshot>> {
        self.shared.wait_version(version, timeout).await
    }

    /// Hears of snapshots; who reads slowly sees the newest.
    pub fn watch(&self) -> watch::Receiver<Arc<Snapshot>> {
        self.shared.published.watch()
    }

    /// Tells `listener` of each publication, inside its flush, when [`snapshot`](Self::snapshot) gives the new one already.
    ///
    /// Only on the graph's thread, as inside of [`invoke`](crate::GraphHost::invoke); elsewhere it fails.
    pub fn on_published(&self, listener: impl FnMut(&Publication) + 'static) -> Result<(), Error> {
        let here = if self.shared.door.is_here() { here() } else { None };
        let Some(here) = here else {
            let detail = "publications are listened to on the graph's thread; call it inside of `GraphHost::invoke`";
            return Err(Error::at(Stage::InternalRuntime, "another_thread", detail));
        };
        here.publisher.listen(listener);
        Ok(())
    }

    /// The names of the values, in registration order.
    pub fn names(&self) -> Vec<&str> {
        self.shared.names().iter().map(|name| &**name).collect()
    }

    /// The names of the messages, in declared order.
    pub fn message_names(&self) -> Vec<&str> {
        self.shared.messages.iter().flat_map(|messages| messages.names()).collect()
    }

    /// The names that only the traced tools know, in registration order.
    pub fn nodes(&self) -> Vec<&str> {
        self.shared.nodes.iter().map(|name| &**name).collect()
    }

    /// The messages with their shapes and schemas; none where the application takes none.
    pub fn messages(&self) -> Option<&Messages> {
        self.shared.messages.as_deref()
    }

    pub(crate) fn door(&self) -> &Door {
        &self.shared.door
    }

    pub(crate) fn published(&self) -> Arc<Published> {
        self.shared.published.clone()
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }
}

impl Shared {
    pub(crate) fn names(&self) -> &[Name] {
        &self.names
    }

    pub(crate) fn messages(&self) -> Option<&Arc<Messages>> {
        self.messages.as_ref()
    }

    /// Runs messages as one item of the inbox.
    pub(crate) fn run(
        &self,
        asked: Vec<Result<Asked, Rejected>>,
        token: CancellationToken,
        then: Option<Then>,
    ) -> Result<BoxFuture<'static, Result<Ran, Rejected>>, Rejected> {
        let Some(messages) = &self.messages else {
            return Err(Rejected::new(Stage::SchemaValidation, "this application takes no messages"));
        };
        Ok(self.sequence.run(&self.door, messages, asked, token, then))
    }

    /// Asks on the graph's thread, in turn with messages.
    #[cfg(feature = "trace")]
    pub(crate) async fn on_thread(&self, ask: Then) -> Result<String, Rejected> {
        self.sequence.ask(&self.door, ask).await
    }

    pub(crate) async fn wait_version(&self, version: u64, timeout: Duration) -> Option<Arc<Snapshot>> {
        tokio::select! {
            biased;
            reached = self.published.reached(version) => reached,
            () = self.door.inbox().closed().cancelled() => None,
            () = tokio::time::sleep(timeout) => None,
        }
    }
}

impl<M> Clone for Live<M> {
    fn clone(&self) -> Self {
        Self { shared: self.shared.clone(), sender: self.sender.clone() }
    }
}

impl<M> fmt::Debug for Live<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Live")
            .field("version", &self.snapshot().version())
            .field("names", &self.names())
            .field("messages", &self.message_names())
            .finish_non_exhaustive()
    }
}
