//! Panics of nodes, caught where they cannot take anything else along.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

use super::{BoxFuture, Stage};
use crate::Error;

/// The text of a panic: for the log, never for a caller.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Text(String);

/// A running node whose panics are errors that hide their text, also where it panics while it is dropped.
pub(super) struct Caught<'a, T>(Option<BoxFuture<'a, Result<T, Error>>>);

/// Runs a node.
pub(super) fn caught<'a, T>(node: impl Future<Output = Result<T, Error>> + Send + 'a) -> Caught<'a, T> {
    Caught(Some(Box::pin(node)))
}

impl<T> Future for Caught<'_, T> {
    type Output = Result<T, Error>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let Some(node) = &mut self.0 else { return Poll::Pending };
        match catch_unwind(AssertUnwindSafe(|| node.as_mut().poll(cx))) {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(outcome)) => Poll::Ready(outcome),
            Err(panic) => Poll::Ready(Err(Error::at(
                Stage::InternalRuntime,
                "panic",
                "the node panicked; the server's log says why",
            )
            .because(text(panic.as_ref())))),
        }
    }
}

impl<T> Drop for Caught<'_, T> {
    fn drop(&mut self) {
        let node = self.0.take();
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| drop(node))) {
            // Its answer is under way, or nobody waits for one.
            tracing::error!(panic = %text(panic.as_ref()), "the node panicked while it was dropped");
        }
    }
}

fn text(panic: &(dyn Any + Send)) -> Text {
    Text(match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(text), _) => (*text).to_owned(),
        (None, Some(text)) => text.clone(),
        (None, None) => "a panic without text".to_owned(),
    })
}
