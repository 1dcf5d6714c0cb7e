//! Panics of nodes, caught where they cannot take anything else along.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

use super::Stage;
use crate::Error;

/// The text of a panic: for the log, never for a caller.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Text(String);

/// A running node whose panics are errors that hide their text, also where it panics while it is dropped.
pub(super) struct Caught<'a, F>(Pin<&'a mut Option<F>>);

/// Runs a node, which is dropped with what this gives.
pub(super) fn caught<T, F: Future<Output = Result<T, Error>>>(node: Pin<&mut Option<F>>) -> Caught<'_, F> {
    Caught(node)
}

impl<T, F: Future<Output = Result<T, Error>>> Future for Caught<'_, F> {
    type Output = Result<T, Error>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let Some(node) = self.0.as_mut().as_pin_mut() else { return Poll::Pending };
        match catch_unwind(AssertUnwindSafe(|| node.poll(cx))) {
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

impl<F> Drop for Caught<'_, F> {
    fn drop(&mut self) {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| self.0.set(None))) {
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
