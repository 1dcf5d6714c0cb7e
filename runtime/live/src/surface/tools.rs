//! The tools that every live application has.

use std::convert::Infallible;
use std::time::Duration;

use nodecast::call::Stage;
use nodecast::prelude::*;
use serde_json::Value as Json;

use super::{Surface, arguments};
use crate::host::InvokeError;
use crate::message::Rejected;
use crate::sequence;
use crate::snapshot::Snapshot;

/// Shows all exposed values, and the version that they are of.
#[node(read_only, name = "snapshot", title = "Snapshot")]
pub(super) struct TakeSnapshot;

impl Node<Surface> for TakeSnapshot {
    type Output = Content;
    type Error = Infallible;

    async fn run(self, surface: &Surface, _: &Context) -> Result<Content, Infallible> {
        Ok(state(&surface.live.published.snapshot()))
    }
}

// The doc comment is the head of what clients read; the shapes of the messages follow it.
/// Sends messages to the application, one after another, and tells what each has changed.
///
/// Send `message` with its `args`, or `messages` for several. No other client's message comes between them. Where one is
/// rejected, those before it stay applied. The last line of the result shows all values.
#[node(title = "Dispatch")]
pub(super) struct Dispatch {
    /// The name of one message.
    message: Option<Value>,
    /// Its arguments.
    args: Option<Value>,
    /// Several messages, in order.
    messages: Option<Value>,
}

impl Node<Surface> for Dispatch {
    type Output = Content;
    type Error = Infallible;

    async fn run(self, surface: &Surface, cx: &Context) -> Result<Content, Infallible> {
        Ok(self.text(surface, cx).await.map_or_else(refused, |text| Content::new().text(text)))
    }
}

impl Dispatch {
    async fn text(self, surface: &Surface, cx: &Context) -> Result<String, Rejected> {
        let asked = arguments::messages(self.message, self.args, self.messages)?;
        surface.live.run(asked, cx.cancellation().clone(), None)?.await?.text()
    }
}

/// Waits until the state has reached a version, and shows it then.
#[node(read_only, waits, title = "Wait for a version")]
pub(super) struct WaitVersion {
    /// The version; a later one will do too.
    version: Option<Value>,
    /// How long to wait, in milliseconds.
    #[port(name = "timeoutMs")]
    timeout_ms: Option<Value>,
}

impl Node<Surface> for WaitVersion {
    type Output = Content;
    type Error = Infallible;

    async fn run(self, surface: &Surface, _: &Context) -> Result<Content, Infallible> {
        Ok(self.wait(surface).await.map_or_else(refused, |snapshot| state(&snapshot)))
    }
}

impl WaitVersion {
    async fn wait(self, surface: &Surface) -> Result<std::sync::Arc<Snapshot>, Rejected> {
        let version = arguments::version(self.version)?;
        let timeout = arguments::timeout(self.timeout_ms)?;
        let Ok(_place) = surface.waiting.try_acquire() else {
            let text = format!("{} calls wait for a version already; try again later", super::MOST_WAITING);
            return Err(Rejected::new(Stage::Busy, text));
        };
        let reached = surface.live.wait_version(version, Duration::from_millis(timeout)).await;
        reached.ok_or_else(|| {
            if surface.live.door.inbox().closed().is_cancelled() {
                return sequence::rejection(InvokeError::Closed);
            }
            let now = surface.live.published.snapshot().version();
            let text = format!("version {version} was not reached within {timeout} ms; the version now is {now}");
            Rejected::new(Stage::Timeout, text)
        })
    }
}

/// The state document, as text and as structured content.
fn state(snapshot: &Snapshot) -> Content {
    let text = snapshot.to_json();
    // It was written here.
    let structured = serde_json::from_str(&text).map(carried).unwrap_or_default();
    Content::new().text(text).structured(structured)
}

/// What is refused, as a result that a model reads.
pub(super) fn refused(Rejected { stage, text }: Rejected) -> Content {
    Content::new().text(text).failed(stage)
}

/// The value as structured content carries it: an integer beyond 2^53, which the text holds whole, as its readers round it.
fn carried(value: Json) -> Json {
    const LARGEST: u64 = nodecast::wire::MAX_JSON_INTEGER;
    match value {
        Json::Number(number) => {
            let magnitude = number.as_u64().or_else(|| number.as_i64().map(i64::unsigned_abs));
            match (magnitude, number.as_f64()) {
                (Some(magnitude), Some(nearest)) if magnitude > LARGEST => nearest.into(),
                _ => Json::Number(number),
            }
        }
        Json::Array(items) => items.into_iter().map(carried).collect(),
        Json::Object(members) => members.into_iter().map(|(name, value)| (name, carried(value))).collect(),
        other => other,
    }
}
