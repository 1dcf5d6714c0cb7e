//! What ends a call before its time.
//!
//! A token has a place in a tree which all calls of a host share, behind a lock. Most calls end by themselves before anybody
//! has asked for theirs, so it is made when somebody asks.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::Poll;

use tokio_util::sync::CancellationToken;

/// The cancellation of one call, or of one run; cloning shares it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cancel(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    /// What cancels it from above.
    above: Option<Arc<CancellationToken>>,
    token: OnceLock<CancellationToken>,
    /// It is cancelled, whether or not there is a token.
    cancelled: AtomicBool,
}

impl Cancel {
    /// One that is cancelled with `above`, and alone.
    pub(crate) fn below(above: Arc<CancellationToken>) -> Self {
        Self(Arc::new(Shared { above: Some(above), ..Shared::default() }))
    }

    /// That of somebody's token.
    pub(super) fn of(token: CancellationToken) -> Self {
        Self(Arc::new(Shared { token: token.into(), ..Shared::default() }))
    }

    pub(crate) fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::SeqCst);
        if let Some(token) = self.0.token.get() {
            token.cancel();
        }
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.is_known()
            || self.0.token.get().is_none() && self.0.above.as_ref().is_some_and(|above| above.is_cancelled())
    }

    /// Whether it is cancelled as far as can be told without a look at what all calls share.
    fn is_known(&self) -> bool {
        self.0.cancelled.load(Ordering::SeqCst) || self.0.token.get().is_some_and(CancellationToken::is_cancelled)
    }

    pub(super) fn token(&self) -> &CancellationToken {
        let Shared { above, token, cancelled } = &*self.0;
        let token =
            token.get_or_init(|| above.as_ref().map_or_else(CancellationToken::new, |above| above.child_token()));
        // Whoever cancelled meanwhile may not have seen the token.
        if cancelled.load(Ordering::SeqCst) {
            token.cancel();
        }
        token
    }

    /// Cancels when the guard is dropped.
    pub(super) fn guard(self) -> CancelGuard {
        CancelGuard(self)
    }

    /// What comes of `run`; nothing where it is cancelled first.
    pub(super) async fn unless_cancelled<T>(&self, run: impl Future<Output = T>) -> Option<T> {
        // What is above is looked at once the run waits for something: a call begins only where calls may.
        if self.is_known() {
            return None;
        }
        let mut run = pin!(run);
        let mut cancelled = pin!(None);
        poll_fn(|cx| {
            if let Poll::Ready(ended) = run.as_mut().poll(cx) {
                return Poll::Ready(Some(ended));
            }
            if cancelled.is_none() {
                cancelled.set(Some(self.token().cancelled()));
            }
            match cancelled.as_mut().as_pin_mut() {
                Some(cancelled) => cancelled.poll(cx).map(|()| None),
                None => Poll::Pending,
            }
        })
        .await
    }
}

/// Cancels when it is dropped.
#[derive(Debug)]
pub(super) struct CancelGuard(Cancel);

impl Drop for CancelGuard {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_that_is_made_late_is_cancelled_all_the_same() {
        let cancel = Cancel::default();
        assert!(!cancel.is_cancelled());
        cancel.clone().guard();
        assert!(cancel.is_cancelled() && cancel.token().is_cancelled());
    }

    #[test]
    fn what_is_above_cancels_and_is_not_cancelled() {
        let above = Arc::new(CancellationToken::new());
        let (one, other) = (Cancel::below(above.clone()), Cancel::below(above.clone()));
        one.cancel();
        assert!(one.is_cancelled() && !other.is_cancelled() && !above.is_cancelled());
        above.cancel();
        assert!(other.is_cancelled() && other.token().is_cancelled());
    }

    #[tokio::test]
    async fn what_ends_at_once_makes_no_token() {
        let cancel = Cancel::below(Arc::default());
        assert_eq!(cancel.unless_cancelled(std::future::ready(7)).await, Some(7));
        assert!(cancel.0.token.get().is_none());
    }

    #[tokio::test]
    async fn what_waits_is_cancelled_from_above() {
        let above = Arc::new(CancellationToken::new());
        let cancel = Cancel::below(above.clone());
        let run = tokio::spawn(async move { cancel.unless_cancelled(std::future::pending::<()>()).await });
        tokio::task::yield_now().await;
        above.cancel();
        assert_eq!(run.await.unwrap(), None);
    }
}
