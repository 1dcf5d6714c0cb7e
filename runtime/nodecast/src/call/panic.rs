//! Panics of nodes, caught where they cannot take anything else along.

use std::any::Any;
use std::panic::AssertUnwindSafe;

use futures_util::FutureExt as _;

use super::Stage;
use crate::Error;

/// The text of a panic: for the log, never for a caller.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Text(String);

/// Runs a node; a panic becomes an error that hides its text.
pub(super) async fn caught<T>(node: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    match AssertUnwindSafe(node).catch_unwind().await {
        Ok(outcome) => outcome,
        Err(panic) => Err(Error::at(Stage::InternalRuntime, "panic", "the node panicked; the server's log says why")
            .because(text(panic.as_ref()))),
    }
}

fn text(panic: &(dyn Any + Send)) -> Text {
    Text(match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(text), _) => (*text).to_owned(),
        (None, Some(text)) => text.clone(),
        (None, None) => "a panic without text".to_owned(),
    })
}
