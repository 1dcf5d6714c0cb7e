//! The limit on the head of a request, as hyper asks for it: a sleep a head, which is dropped as soon as the head has come.
//!
//! The runtime keeps all sleeps in one list behind one lock. A connection that answers thousands of requests would
//! enter and leave it for each; here it has one place, which is moved when its time comes.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use hyper::rt::{Sleep, Timer};
use tokio::time::{Instant, sleep};

/// The timer of one connection, which waits for one head at a time.
#[derive(Clone, Debug)]
pub(super) struct HeadTimer(Arc<Mutex<Pin<Box<tokio::time::Sleep>>>>);

impl HeadTimer {
    /// For heads that may take so long.
    pub(super) fn new(limit: Duration) -> Self {
        Self(Arc::new(Mutex::new(Box::pin(sleep(limit)))))
    }
}

impl Timer for HeadTimer {
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Sleep>> {
        self.sleep_until(self.now() + duration)
    }

    fn sleep_until(&self, deadline: std::time::Instant) -> Pin<Box<dyn Sleep>> {
        Box::pin(Due { at: deadline.into(), timer: self.clone() })
    }

    fn now(&self) -> std::time::Instant {
        Instant::now().into()
    }
}

/// Completes when the time of one head is up.
#[derive(Debug)]
struct Due {
    at: Instant,
    timer: HeadTimer,
}

impl Sleep for Due {}

impl Future for Due {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        // Nothing panics while it holds it.
        let mut sleep = self.timer.0.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            // It was set for an earlier head, so its time comes first.
            ready!(sleep.as_mut().poll(cx));
            if sleep.deadline() >= self.at {
                return Poll::Ready(());
            }
            sleep.as_mut().reset(self.at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_secs(9);

    #[tokio::test(start_paused = true)]
    async fn t05_each_head_has_the_whole_limit() {
        let start = Instant::now();
        let timer = HeadTimer::new(LIMIT);
        for _ in 0..3 {
            let head = timer.sleep_until(timer.now() + LIMIT);
            // It comes when two thirds of its time are over.
            assert!(tokio::time::timeout(LIMIT * 2 / 3, head).await.is_err());
        }
        let began = Instant::now();
        assert_eq!(began - start, LIMIT * 2);
        timer.sleep(LIMIT).await;
        assert_eq!(began.elapsed(), LIMIT);
    }

    #[tokio::test(start_paused = true)]
    async fn t05_the_limit_holds_after_a_rest_that_was_not_watched() {
        let timer = HeadTimer::new(LIMIT);
        // A body and an answer take as long as they take.
        sleep(LIMIT * 5).await;
        let began = Instant::now();
        timer.sleep(LIMIT).await;
        assert_eq!(began.elapsed(), LIMIT);
    }
}
