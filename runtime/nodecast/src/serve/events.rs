//! What goes wrong here, told to the executor (`wire.md` 6): failed calls and lines of the log from warnings up.
//!
//! Telling never delays anybody: events stand in a bounded queue, of which the oldest go when it is full, and one task
//! sends them. What happens while they are sent is not told, so that a hung executor does not feed itself.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use http::HeaderValue;
use serde_json::{Value as Json, json};
use tokio::sync::Notify;
use tokio::time::timeout;
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;

use super::executor::Executor;
use super::server::Hosted;
use crate::call::{CallEnd, CallObserver, Outcome, shown_up_to};

/// So many events wait or are on their way; more, and the oldest of those that wait go.
const MOST: usize = 1024;
/// So many are sent at once, without waiting for more.
const ENOUGH: usize = 50;
/// So many go in one request, so that there are others which wait.
const BATCH: usize = 256;
/// So much of a text is told: the queue is bounded in events, and so in what they hold.
const LONGEST: usize = 4096;
/// The first of fewer waits so long for others.
const GATHERING: Duration = Duration::from_millis(200);
/// The executor has so long for one batch, and once more.
const LIMIT: Duration = Duration::from_secs(3);
/// The target of the line about a panic, whose text stays in the log.
pub(super) const PANIC: &str = "nodecast::panic";
/// The path of the executor that takes events.
const PATH: &str = "/api/internal/events";

/// The events of one host.
#[derive(Debug)]
pub(super) struct Events {
    executor: Executor,
    queue: Mutex<Queue>,
    /// Something waits.
    some: Notify,
    /// Enough waits, or the host ends.
    enough: Notify,
    /// Nothing waits, nor is on its way.
    sent: Notify,
    /// Function → nodeset.
    homes: OnceLock<BTreeMap<String, String>>,
}

#[derive(Debug, Default)]
struct Queue {
    waiting: VecDeque<Json>,
    /// So many are on their way.
    sending: usize,
    lost: u64,
}

impl Events {
    pub(super) fn new(executor: Executor) -> Self {
        Self {
            executor,
            queue: Mutex::default(),
            some: Notify::new(),
            enough: Notify::new(),
            sent: Notify::new(),
            homes: OnceLock::new(),
        }
    }

    /// Says which nodesets there are, so that an event names its own.
    pub(super) fn of(&self, nodesets: &[Arc<Hosted>]) {
        let named = nodesets.iter().flat_map(|hosted| {
            hosted.catalog.full_names().map(|(_, function)| (function.to_string(), hosted.name().to_owned()))
        });
        // A host is built once.
        let _ = self.homes.set(named.collect());
    }

    /// Sends what waits for as long as the host lives.
    pub(super) async fn run(self: Arc<Self>) {
        loop {
            self.some.notified().await;
            // Whatever is enough in the meantime, or the host's end, cuts the gathering short.
            let _ = timeout(GATHERING, self.enough.notified()).await;
            self.send().await;
        }
    }

    /// Sends what is left; how long it may take is the caller's to say.
    pub(super) async fn flush(&self) {
        loop {
            let sent = self.sent.notified();
            {
                let queue = self.queue();
                if queue.waiting.is_empty() && queue.lost == 0 && queue.sending == 0 {
                    return;
                }
            }
            self.some.notify_one();
            self.enough.notify_one();
            sent.await;
        }
    }

    fn push(&self, event: Json) {
        let mut queue = self.queue();
        if queue.waiting.len() + queue.sending >= MOST {
            queue.waiting.pop_front();
            queue.lost += 1;
        }
        queue.waiting.push_back(event);
        let waiting = queue.waiting.len();
        drop(queue);
        self.some.notify_one();
        if waiting >= ENOUGH {
            self.enough.notify_one();
        }
    }

    /// How many wait or are on their way.
    pub(super) fn waiting(&self) -> usize {
        let queue = self.queue();
        queue.waiting.len() + queue.sending
    }

    /// One batch of what waits, and how many did not wait long enough to be told of.
    async fn send(&self) {
        let (mut events, lost) = {
            let mut queue = self.queue();
            queue.sending = queue.waiting.len().min(BATCH);
            let batch = queue.sending;
            (queue.waiting.drain(..batch).collect::<Vec<_>>(), std::mem::take(&mut queue.lost))
        };
        if lost > 0 {
            let message = format!("{lost} events were dropped, since the executor did not take them in time");
            let details = json!({ "dropped": lost });
            events.push(event("warning", &message, "SUBPROC_EVENTS_DROPPED", &Origin::default(), details));
        }
        let told = events.is_empty() || self.told(&events).await;
        let mut queue = self.queue();
        queue.sending = 0;
        if !told {
            // The count of those before is among what was not told.
            queue.lost += lost + (events.len() - usize::from(lost > 0)) as u64;
        }
        let left = queue.waiting.len();
        drop(queue);
        // Of many that came at once, the last go in a batch of their own, for which nobody else may wake the task.
        if left > 0 {
            self.some.notify_one();
        }
        if left >= ENOUGH {
            self.enough.notify_one();
        }
        self.sent.notify_waiters();
    }

    async fn told(&self, events: &[Json]) -> bool {
        let body = json!({ "events": events }).to_string().into_bytes();
        for _ in 0..2 {
            let media = HeaderValue::from_static("application/json");
            match self.executor.tell(PATH, media, body.clone(), LIMIT).await {
                Ok(status) if !status.is_server_error() => return true,
                Ok(status) => tracing::debug!(%status, "the executor takes no events"),
                Err(error) => tracing::debug!(%error, "the executor takes no events"),
            }
        }
        false
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        // Nothing panics while it holds one of these.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where an event comes from.
#[derive(Default)]
struct Origin<'a> {
    node: Option<&'a str>,
    nodeset: Option<&'a str>,
    execution: Option<&'a str>,
}

fn event(severity: &str, message: &str, code: &str, origin: &Origin<'_>, details: Json) -> Json {
    json!({
        "severity": severity,
        "message": told(message),
        "code": code,
        "node_id": origin.node.map(told),
        "step": null,
        "nodeset": origin.nodeset,
        "execution_id": origin.execution.map(told),
        "details": details,
    })
}

/// A text as it is told: what a caller sent may be as long as a body.
fn told(text: &str) -> Cow<'_, str> {
    shown_up_to(text, LONGEST)
}

impl CallObserver for Events {
    fn begun(&self, _: &str, _: &'static str) {}

    fn ended(&self, end: &CallEnd<'_>) {
        let (Outcome::Failed(stage), Some(error)) = (end.outcome, end.error) else { return };
        // What a node says while it panics is for the log.
        let cause = error.cause().filter(|_| error.kind() != "panic");
        let details = json!({
            "function": told(end.function),
            "stage": stage.as_str(),
            "type": told(error.kind()),
            "traceback": cause.map(|cause| told(&chain(cause)).into_owned()).unwrap_or_default(),
        });
        let nodeset = self.homes.get().and_then(|homes| homes.get(end.function));
        let origin =
            Origin { node: Some(end.function), nodeset: nodeset.map(String::as_str), execution: end.execution };
        self.push(event("error", error.message(), "SUBPROC_NODE_FAIL", &origin, details));
    }
}

fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        text.push('\n');
        text.push_str(&error.to_string());
        source = error.source();
    }
    text
}

/// The lines of the log as events.
pub(super) struct Lines(pub(super) Arc<Events>);

/// What is told of another way, about the telling, or in words that are for the log alone.
const UNTOLD: [&str; 5] =
    ["nodecast::call::invoke", "nodecast::call::panic", PANIC, "nodecast::serve::events", "nodecast::serve::executor"];

impl<S: Subscriber> Layer<S> for Lines {
    fn on_event(&self, line: &Event<'_>, _: Context<'_, S>) {
        let meta = line.metadata();
        let (severity, code) = match *meta.level() {
            Level::ERROR => ("error", "SUBPROC_LOG_ERROR"),
            Level::WARN => ("warning", "SUBPROC_LOG_WARNING"),
            _ => return,
        };
        if UNTOLD.contains(&meta.target()) {
            return;
        }
        let mut text = Text::default();
        line.record(&mut text);
        let homes = self.0.homes.get();
        let mut nodesets: Vec<&str> = homes.into_iter().flat_map(BTreeMap::values).map(String::as_str).collect();
        nodesets.dedup();
        let origin = Origin { nodeset: <[_; 1]>::try_from(nodesets).ok().map(|[only]| only), ..Origin::default() };
        let details = json!({ "target": meta.target(), "fields": text.fields });
        self.0.push(event(severity, &text.message, code, &origin, details));
    }
}

#[derive(Default)]
struct Text {
    message: String,
    fields: serde_json::Map<String, Json>,
}

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        if field.name() == "message" {
            // Writing to a string cannot fail.
            let _ = write!(self.message, "{value:?}");
        } else {
            let text = format!("{value:?}");
            self.fields.insert(field.name().to_owned(), told(&text).into());
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "message" {
            self.message.push_str(value);
        } else {
            self.fields.insert(field.name().to_owned(), told(value).into());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nobody() -> Events {
        Events::new(Executor::parse("http://127.0.0.1:9").unwrap())
    }

    #[test]
    fn w9_the_queue_is_bounded_and_counts_what_it_drops() {
        let events = nobody();
        for n in 0..3000 {
            events.push(json!(n));
        }
        {
            let queue = events.queue();
            assert_eq!((queue.waiting.len(), queue.lost), (1024, 3000 - 1024));
            assert_eq!(queue.waiting.front(), Some(&json!(3000 - 1024)));
        }
        // What is on its way to an executor that does not answer is in the same bound.
        let hung = nobody();
        hung.queue().sending = BATCH;
        for n in 0..3000 {
            hung.push(json!(n));
        }
        assert_eq!(hung.waiting(), 1024);
        assert_eq!(hung.queue().waiting.front(), Some(&json!(3000 - 1024 + BATCH)));
    }

    #[test]
    fn a_long_text_is_told_in_short() {
        let long = "x".repeat(1 << 20);
        let told = event("error", &long, "CODE", &Origin::default(), json!({}));
        assert_eq!(told["message"].as_str().map(|text| text.chars().count()), Some(LONGEST + 1));
    }

    #[test]
    fn what_a_caller_sent_is_told_in_short() {
        let (events, long) = (nobody(), "x".repeat(1 << 20));
        let error = crate::Error::new(long.clone(), long.as_str());
        events.ended(&CallEnd {
            function: &long,
            part: "node",
            face: "http",
            outcome: Outcome::Failed(error.stage()),
            duration: Duration::ZERO,
            error: Some(&error),
            execution: Some(&long),
        });
        let size = events.queue().waiting[0].to_string().len();
        assert!(size < 6 * LONGEST, "{size}");
    }

    #[test]
    fn the_text_of_a_panic_stays_in_the_log() {
        let events = nobody();
        let panic = |kind: &'static str| {
            crate::Error::at(crate::call::Stage::InternalRuntime, kind, "sentence").because("secret")
        };
        for kind in ["panic", "other"] {
            let error = panic(kind);
            events.ended(&CallEnd {
                function: "f",
                part: "node",
                face: "http",
                outcome: Outcome::Failed(error.stage()),
                duration: Duration::ZERO,
                error: Some(&error),
                execution: Some("e"),
            });
        }
        let queue = events.queue();
        assert_eq!(queue.waiting[0]["details"]["traceback"], "");
        assert_eq!(queue.waiting[1]["details"]["traceback"], "secret");
        assert_eq!(
            (&queue.waiting[0]["code"], &queue.waiting[0]["node_id"]),
            (&json!("SUBPROC_NODE_FAIL"), &json!("f"))
        );
        assert_eq!(queue.waiting[0]["execution_id"], "e");
    }
}
