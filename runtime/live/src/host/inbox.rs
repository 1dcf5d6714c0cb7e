//! The inbox of a graph's thread: a bounded queue, first in, first out, until it is closed.

use std::any::Any;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore, TryAcquireError};
use tokio_util::sync::CancellationToken;

/// What the thread does with the application; dropped without being run once the inbox is closed.
pub(super) type Work = Box<dyn FnOnce(&dyn Any) + Send>;

/// The queue, and who waits at its two ends.
pub(crate) struct Inbox {
    state: Mutex<State>,
    /// Work has come, or the end.
    ready: Condvar,
    places: Arc<Semaphore>,
    closed: CancellationToken,
}

struct State {
    items: VecDeque<(Work, OwnedSemaphorePermit)>,
    open: bool,
}

/// Why work was not taken.
pub(super) enum Refusal {
    /// There is no place left; the work is given back.
    Full(Work),
    /// The thread takes no more.
    Closed,
}

impl Inbox {
    pub(super) fn new(capacity: usize) -> Self {
        Self {
            state: Mutex::new(State { items: VecDeque::new(), open: true }),
            ready: Condvar::new(),
            // Without a place nothing would ever be done.
            places: Arc::new(Semaphore::new(capacity.clamp(1, Semaphore::MAX_PERMITS))),
            closed: CancellationToken::new(),
        }
    }

    /// Takes work where there is a place for it.
    pub(super) fn offer(&self, work: Work) -> Result<(), Refusal> {
        match self.places.clone().try_acquire_owned() {
            Ok(place) => self.push(work, place),
            Err(TryAcquireError::NoPermits) => Err(Refusal::Full(work)),
            Err(TryAcquireError::Closed) => Err(Refusal::Closed),
        }
    }

    /// Takes work when there is a place for it, in the order of those who wait.
    pub(super) async fn wait(&self, work: Work) -> Result<(), Refusal> {
        match self.places.clone().acquire_owned().await {
            Ok(place) => self.push(work, place),
            Err(_) => Err(Refusal::Closed),
        }
    }

    fn push(&self, work: Work, place: OwnedSemaphorePermit) -> Result<(), Refusal> {
        let mut state = self.lock();
        if !state.open {
            return Err(Refusal::Closed);
        }
        state.items.push_back((work, place));
        drop(state);
        self.ready.notify_one();
        Ok(())
    }

    /// The next work, waited for; none once it is closed.
    pub(super) fn next(&self) -> Option<Work> {
        let mut state = self.lock();
        loop {
            if !state.open {
                return None;
            }
            if let Some((work, _place)) = state.items.pop_front() {
                return Some(work);
            }
            state = self.ready.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Takes no more; what waits is dropped.
    pub(super) fn close(&self) {
        let left = {
            let mut state = self.lock();
            state.open = false;
            std::mem::take(&mut state.items)
        };
        self.places.close();
        self.closed.cancel();
        self.ready.notify_all();
        // Who waits for it hears of it here, with nothing locked.
        drop(left);
    }

    /// Whether it takes no more.
    pub(crate) fn closed(&self) -> &CancellationToken {
        &self.closed
    }

    /// Nothing panics while it holds the lock.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
