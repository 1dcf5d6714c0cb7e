//! Starting, ready, draining: what may run, what runs, and how all of it ends in time (`wire.md` 9.1).

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::Error;
use crate::call::Stage;

/// Where a host is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Bound, not started.
    Starting,
    /// Takes calls.
    Ready,
    /// Told to stop.
    Draining,
}

impl Phase {
    /// The word of health reports and metrics.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Starting => "starting",
            Self::Ready => "ok",
            Self::Draining => "draining",
        }
    }
}

/// The life of a host, shared by all faces.
#[derive(Debug)]
pub(super) struct Lifecycle {
    phase: AtomicU8,
    in_flight: AtomicUsize,
    /// Answers on their way through what the end of the host cuts.
    answers: Arc<AtomicUsize>,
    max_in_flight: usize,
    /// The last of either has ended.
    idle: Arc<Notify>,
    calls: Arc<CancellationToken>,
    draining: CancellationToken,
}

impl Lifecycle {
    pub(super) fn new(max_in_flight: usize) -> Self {
        Self {
            phase: AtomicU8::new(Phase::Starting as u8),
            in_flight: AtomicUsize::new(0),
            answers: Arc::default(),
            max_in_flight,
            idle: Arc::default(),
            calls: Arc::default(),
            draining: CancellationToken::new(),
        }
    }

    pub(super) fn phase(&self) -> Phase {
        match self.phase.load(Ordering::Acquire) {
            0 => Phase::Starting,
            1 => Phase::Ready,
            _ => Phase::Draining,
        }
    }

    /// Everything has started. Nothing happens when the host was told to stop meanwhile.
    pub(super) fn ready(&self) {
        let (from, to) = (Phase::Starting as u8, Phase::Ready as u8);
        let _ = self.phase.compare_exchange(from, to, Ordering::AcqRel, Ordering::Acquire);
    }

    /// Calls that run now.
    pub(super) fn in_flight(&self) -> usize {
        self.in_flight.load(Ordering::Acquire)
    }

    /// Lets a call in, or says why not.
    pub(super) fn enter(&self) -> Result<Running<'_>, Error> {
        // Counted first, so that a drain that starts between the two steps waits for this call.
        let before = self.in_flight.fetch_add(1, Ordering::AcqRel);
        let running = Running(self);
        self.admit()?;
        if before >= self.max_in_flight {
            let detail = format!("{} calls run, which is all that --max-in-flight allows", self.max_in_flight);
            return Err(Error::at(Stage::Busy, "overloaded", detail).retry_after(1));
        }
        Ok(running)
    }

    /// An answer is made, which the host waits for when it stops: the end of a call is not yet its answer's.
    pub(super) fn answering(&self) -> Answering {
        self.answers.fetch_add(1, Ordering::AcqRel);
        Answering { answers: self.answers.clone(), idle: self.idle.clone() }
    }

    /// Whether work is taken at all.
    pub(super) fn admit(&self) -> Result<(), Error> {
        match self.phase() {
            Phase::Ready => Ok(()),
            Phase::Starting => Err(Error::at(Stage::Busy, "starting", "the host is starting").retry_after(1)),
            Phase::Draining => Err(Self::stopping()),
        }
    }

    /// What is said where no work is taken any more.
    pub(super) fn stopping() -> Error {
        Error::at(Stage::Busy, "draining", "the host is stopping").retry_after(5)
    }

    /// Cancelled when running calls must end.
    pub(super) fn calls(&self) -> &Arc<CancellationToken> {
        &self.calls
    }

    /// Takes no new work from now on.
    pub(super) fn drain(&self) {
        self.phase.store(Phase::Draining as u8, Ordering::Release);
        self.draining.cancel();
    }

    /// Cancelled when no new work is taken: what only waits for some ends then.
    pub(super) fn draining(&self) -> &CancellationToken {
        &self.draining
    }

    /// Waits for the running calls and their answers, cancels those that outlast `grace`, and gives them `last` to answer.
    pub(super) async fn drained(&self, grace: Duration, last: Duration) {
        if tokio::time::timeout(grace, self.emptied()).await.is_err() {
            tracing::warn!(calls = self.in_flight(), "cancelling calls that outlasted the grace period");
            self.calls.cancel();
            let _ = tokio::time::timeout(last, self.emptied()).await;
        }
    }

    async fn emptied(&self) {
        loop {
            let idle = self.idle.notified();
            tokio::pin!(idle);
            // Registered before the look, so that the last call's end between the two is not missed.
            idle.as_mut().enable();
            if self.in_flight() == 0 && self.answers.load(Ordering::Acquire) == 0 {
                return;
            }
            idle.await;
        }
    }
}

/// A call that runs; its end may end the host.
#[derive(Debug)]
pub(super) struct Running<'a>(&'a Lifecycle);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        if self.0.in_flight.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.0.idle.notify_waiters();
        }
    }
}

/// An answer that is not out yet.
#[derive(Debug)]
pub(super) struct Answering {
    answers: Arc<AtomicUsize>,
    idle: Arc<Notify>,
}

impl Drop for Answering {
    fn drop(&mut self) {
        if self.answers.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.idle.notify_waiters();
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::Instant;

    use super::*;

    const GRACE: Duration = Duration::from_secs(3);

    #[test]
    fn calls_enter_only_when_ready_and_not_too_many() {
        let life = Lifecycle::new(1);
        assert_eq!(life.enter().unwrap_err().kind(), "starting");
        life.ready();
        let running = life.enter().unwrap();
        assert_eq!(life.enter().unwrap_err().kind(), "overloaded");
        drop(running);
        assert!(life.enter().is_ok());
        life.drain();
        assert_eq!(life.enter().unwrap_err().kind(), "draining");
        assert_eq!(life.in_flight(), 0);
    }

    #[test]
    fn a_stop_during_the_start_stays_a_stop() {
        let life = Lifecycle::new(1);
        life.drain();
        life.ready();
        assert_eq!(life.phase(), Phase::Draining);
    }

    #[tokio::test(start_paused = true)]
    async fn w9_calls_get_the_grace_and_are_then_cancelled() {
        let life = Arc::new(Lifecycle::new(8));
        life.ready();
        let start = Instant::now();
        tokio::spawn({
            let life = life.clone();
            async move {
                let _running = life.enter().unwrap();
                life.calls().cancelled().await;
            }
        });
        tokio::task::yield_now().await;
        life.drain();
        life.drained(GRACE, Duration::from_secs(1)).await;
        assert_eq!(start.elapsed(), GRACE);
        assert_eq!(life.in_flight(), 0);
    }

    #[tokio::test(start_paused = true)]
    async fn w9_a_call_that_has_ended_is_waited_for_until_its_answer_is_out() {
        let life = Arc::new(Lifecycle::new(8));
        life.ready();
        let start = Instant::now();
        let answering = life.answering();
        drop(life.enter().unwrap());
        tokio::spawn(async move {
            tokio::time::sleep(GRACE / 2).await;
            drop(answering);
        });
        life.drain();
        life.drained(GRACE, Duration::from_secs(1)).await;
        assert_eq!(start.elapsed(), GRACE / 2);
    }

    #[tokio::test(start_paused = true)]
    async fn an_idle_host_stops_at_once() {
        let life = Lifecycle::new(8);
        life.ready();
        life.drain();
        let start = Instant::now();
        life.drained(GRACE, GRACE).await;
        assert_eq!(start.elapsed(), Duration::ZERO);
    }
}
