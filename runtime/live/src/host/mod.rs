//! The host of a graph: one thread, on which everything of it is made, used and dropped, and the one door to it.

mod inbox;
mod invoke;
mod thread;

use std::marker::PhantomData;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{JoinHandle, ThreadId};

use nodecast::Error;
use tokio_util::sync::CancellationToken;

pub(crate) use inbox::Inbox;
pub use invoke::InvokeError;
pub(crate) use invoke::{Busy, Door, panic_text};
pub(crate) use thread::{Here, here};

use crate::app::App;
use crate::expose::{Expose, Exposure};
use crate::graph::{FLUSH_LIMIT, Graph};
use crate::live::Live;
use crate::message::{Message, NoMessages};

/// How a graph is hosted.
#[derive(Clone, Copy, Debug)]
pub struct HostOptions {
    /// So much work may wait; who brings more waits with it, and a client is told that the host is busy.
    inbox: usize,
    /// The stack of the thread, in bytes; a chain of memos needs some for each.
    stack_size: usize,
    /// A flush that still moves after so many rounds is taken for one that never settles.
    flush_limit: u32,
    /// So many events are kept, with the feature `trace`.
    trace_events: usize,
}

impl Default for HostOptions {
    fn default() -> Self {
        Self { inbox: 1024, stack_size: 8 << 20, flush_limit: FLUSH_LIMIT, trace_events: 200_000 }
    }
}

impl HostOptions {
    /// Sets how much work may wait.
    #[must_use]
    pub fn inbox(mut self, items: usize) -> Self {
        self.inbox = items;
        self
    }

    /// Sets the stack of the thread, in bytes.
    #[must_use]
    pub fn stack_size(mut self, bytes: usize) -> Self {
        self.stack_size = bytes;
        self
    }

    /// Sets after how many rounds a flush is taken for one that never settles.
    #[must_use]
    pub fn flush_limit(mut self, rounds: u32) -> Self {
        self.flush_limit = rounds;
        self
    }

    /// Sets how many events are kept.
    #[must_use]
    pub fn trace_events(mut self, events: usize) -> Self {
        self.trace_events = events;
        self
    }
}

/// A graph on a thread of its own; clones are the same host, and the last one that is dropped closes it.
///
/// ```
/// use nodecast_live::prelude::*;
///
/// # async fn example() -> Result<(), Error> {
/// let host = GraphHost::start(|g: &Graph| {
///     let count = signal(g, 1);
///     memo!(g, let doubled = move || count.get() * 2);
///     Ok(App::read_only(Exposure::builder(g).value("count", count).value("doubled", doubled).build()?))
/// })?;
/// assert_eq!(host.live().snapshot().get("doubled"), Some("2"));
/// host.close().await;
/// # Ok(())
/// # }
/// ```
pub struct GraphHost<M = NoMessages, V = Exposure> {
    live: Live<M>,
    owner: Arc<Owner>,
    of: PhantomData<fn(M) -> V>,
}

/// What closes the host when nobody holds it any more.
struct Owner {
    inbox: Arc<Inbox>,
    thread: ThreadId,
    join: Mutex<Option<JoinHandle<()>>>,
    /// The graph is dropped, and the thread at its end.
    ended: CancellationToken,
}

impl<M: Message, V: Expose> GraphHost<M, V> {
    /// Makes the thread, the graph on it, and runs `setup` there.
    ///
    /// Fails as `setup` fails, when the thread has ended; a panic of it is an error too.
    pub fn start(setup: impl FnOnce(&Graph) -> Result<App<M, V>, Error> + Send + 'static) -> Result<Self, Error> {
        Self::start_with(HostOptions::default(), setup)
    }

    /// The same with options.
    pub fn start_with(
        options: HostOptions,
        setup: impl FnOnce(&Graph) -> Result<App<M, V>, Error> + Send + 'static,
    ) -> Result<Self, Error> {
        crate::print::answer();
        let inbox = Arc::new(Inbox::new(options.inbox));
        let ended = CancellationToken::new();
        let (live, join) = thread::start(options, inbox.clone(), ended.clone(), setup)?;
        let owner = Owner { inbox, thread: join.thread().id(), join: Mutex::new(Some(join)), ended };
        Ok(Self { live, owner: Arc::new(owner), of: PhantomData })
    }

    /// Runs `work` on the graph's thread, after all that came before it, and gives what it returns when the effects that it
    /// triggered have run.
    ///
    /// On that thread itself it runs at once, before this returns.
    pub fn invoke<T, F>(
        &self,
        work: F,
    ) -> impl Future<Output = Result<T, InvokeError>> + Send + 'static + use<T, F, M, V>
    where
        T: Send + 'static,
        F: FnOnce(&App<M, V>) -> T + Send + 'static,
    {
        self.live.door().invoke::<App<M, V>, T, F>(None, work)
    }

    /// The same, unless `token` is cancelled before the work has begun; what has begun ends.
    pub fn invoke_until<T, F>(
        &self,
        token: CancellationToken,
        work: F,
    ) -> impl Future<Output = Result<T, InvokeError>> + Send + 'static + use<T, F, M, V>
    where
        T: Send + 'static,
        F: FnOnce(&App<M, V>) -> T + Send + 'static,
    {
        self.live.door().invoke::<App<M, V>, T, F>(Some(token), work)
    }

    /// The graph's thread.
    pub fn thread_id(&self) -> ThreadId {
        self.owner.thread
    }

    /// What other threads see of the graph.
    pub fn live(&self) -> Live<M> {
        self.live.clone()
    }

    /// Ends it: running work ends, the graph is dropped on its thread, then the thread. What waits, and what comes later, is
    /// [`Closed`](InvokeError::Closed). On the graph's own thread this only says so.
    pub async fn close(&self) {
        self.owner.inbox.close();
        if std::thread::current().id() != self.owner.thread {
            self.owner.ended.cancelled().await;
            self.owner.join();
        }
    }
}

impl Owner {
    /// Waits for the thread's end.
    fn join(&self) {
        let join = self.join.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(join) = join {
            // A panic of it was caught and told before.
            let _ = join.join();
        }
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        self.inbox.close();
        // The thread cannot wait for itself.
        if std::thread::current().id() != self.thread {
            self.join();
        }
    }
}

impl<M, V> Clone for GraphHost<M, V> {
    fn clone(&self) -> Self {
        Self { live: self.live.clone(), owner: self.owner.clone(), of: PhantomData }
    }
}

impl<M, V> std::fmt::Debug for GraphHost<M, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GraphHost").field("live", &self.live).finish_non_exhaustive()
    }
}
