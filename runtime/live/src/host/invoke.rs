//! Work for the graph's thread, from any thread.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::ThreadId;

use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::inbox::{Inbox, Refusal, Work};
use super::thread::here;

/// Why work has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InvokeError {
    /// The host is closed, or was before the work's turn came.
    Closed,
    /// It was cancelled before it had begun.
    Cancelled,
    /// It panicked, with this text.
    Panicked(String),
}

impl std::fmt::Display for InvokeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Closed => f.write_str("the graph's host is closed"),
            Self::Cancelled => f.write_str("cancelled before it had begun"),
            Self::Panicked(text) => write!(f, "panicked: {text}"),
        }
    }
}

impl std::error::Error for InvokeError {}

/// The way to the graph's thread.
#[derive(Clone)]
pub(crate) struct Door {
    pub(super) inbox: Arc<Inbox>,
    pub(super) thread: ThreadId,
}

/// There is no place in the inbox.
pub(crate) struct Busy;

/// The text of a panic.
pub(crate) fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("a panic without a text").to_owned()
}

impl Door {
    /// Whether this is the graph's thread.
    pub(crate) fn is_here(&self) -> bool {
        std::thread::current().id() == self.thread
    }

    pub(crate) fn inbox(&self) -> &Inbox {
        &self.inbox
    }

    /// Brings work, which is in the inbox when this returns, if there is a place; else its future waits for one.
    pub(super) fn invoke<A, T, F>(
        &self,
        token: Option<CancellationToken>,
        work: F,
    ) -> impl Future<Output = Result<T, InvokeError>> + Send + 'static + use<A, T, F>
    where
        A: 'static,
        T: Send + 'static,
        F: FnOnce(&A) -> T + Send + 'static,
    {
        let begun = if self.is_here() {
            Begun::Done(self.run_here(token.as_ref(), work))
        } else {
            let (work, claim, receiver) = item(work);
            match self.inbox.offer(work) {
                Ok(()) => Begun::Waits { claim, receiver, left: None },
                Err(Refusal::Full(work)) => Begun::Waits { claim, receiver, left: Some(work) },
                Err(Refusal::Closed) => Begun::Done(Err(InvokeError::Closed)),
            }
        };
        let inbox = self.inbox.clone();
        async move {
            let (claim, receiver, left) = match begun {
                Begun::Done(done) => return done,
                Begun::Waits { claim, receiver, left } => (claim, receiver, left),
            };
            let done = async {
                if let Some(work) = left
                    && inbox.wait(work).await.is_err()
                {
                    return Err(InvokeError::Closed);
                }
                // Work that is dropped has no answer.
                receiver.await.unwrap_or(Err(InvokeError::Closed))
            };
            let Some(token) = token else { return done.await };
            let mut done = std::pin::pin!(done);
            tokio::select! {
                biased;
                done = &mut done => done,
                () = token.cancelled() => if claim.take() { Err(InvokeError::Cancelled) } else { (&mut done).await },
            }
        }
    }

    /// Brings work that does not wait for a place.
    pub(crate) fn offer<A, T, F>(
        &self,
        work: F,
    ) -> Result<impl Future<Output = Result<T, InvokeError>> + Send + 'static + use<A, T, F>, Busy>
    where
        A: 'static,
        T: Send + 'static,
        F: FnOnce(&A) -> T + Send + 'static,
    {
        let begun = if self.is_here() {
            Ok(self.run_here(None, work))
        } else {
            let (work, _, receiver) = item(work);
            match self.inbox.offer(work) {
                Ok(()) => Err(receiver),
                Err(Refusal::Full(_)) => return Err(Busy),
                Err(Refusal::Closed) => Ok(Err(InvokeError::Closed)),
            }
        };
        Ok(async move {
            match begun {
                Ok(done) => done,
                Err(receiver) => receiver.await.unwrap_or(Err(InvokeError::Closed)),
            }
        })
    }

    fn run_here<A: 'static, T>(
        &self,
        token: Option<&CancellationToken>,
        work: impl FnOnce(&A) -> T,
    ) -> Result<T, InvokeError> {
        if self.inbox.closed().is_cancelled() {
            return Err(InvokeError::Closed);
        }
        if token.is_some_and(CancellationToken::is_cancelled) {
            return Err(InvokeError::Cancelled);
        }
        // The application is there from the end of `setup` on; before, nobody has a host.
        let app = here().and_then(|here| here.app.downcast::<A>().ok()).ok_or(InvokeError::Closed)?;
        run(&*app, work)
    }
}

enum Begun<T> {
    Done(Result<T, InvokeError>),
    Waits { claim: Claim, receiver: oneshot::Receiver<Result<T, InvokeError>>, left: Option<Work> },
}

/// Who takes it decides whether the work runs.
#[derive(Clone, Default)]
struct Claim(Arc<AtomicBool>);

impl Claim {
    fn take(&self) -> bool {
        !self.0.swap(true, Ordering::AcqRel)
    }
}

type Item<T> = (Work, Claim, oneshot::Receiver<Result<T, InvokeError>>);

fn item<A: 'static, T: Send + 'static>(work: impl FnOnce(&A) -> T + Send + 'static) -> Item<T> {
    let (sender, receiver) = oneshot::channel();
    let claim = Claim::default();
    let own = claim.clone();
    let work: Work = Box::new(move |app| {
        // The application of a host is of one type.
        if let Some(app) = app.downcast_ref::<A>()
            && own.take()
        {
            // Nobody may wait for it any more.
            let _ = sender.send(run(app, work));
        }
    });
    (work, claim, receiver)
}

fn run<A, T>(app: &A, work: impl FnOnce(&A) -> T) -> Result<T, InvokeError> {
    catch_unwind(AssertUnwindSafe(|| work(app))).map_err(|panic| InvokeError::Panicked(panic_text(&*panic)))
}
