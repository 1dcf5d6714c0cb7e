//! The log itself, for tools that make answers of their own: JSON, page by page.

use nodecast::call::Stage;
use serde_json::{Value as Json, json};

use super::answer::{Answers, Reading};
use super::log::{Event, Log, What};
use crate::graph::{Graph, Kind, State};
use crate::message::Rejected;

/// A page has so many bytes at most.
const MOST: usize = 64 << 10;
/// Room for what stands around the items.
const AROUND: usize = 512;

/// What is asked of the log.
#[derive(Clone, Debug)]
pub(crate) enum Raw {
    /// The nodes, as they stand.
    State,
    /// The events of a node; all without one.
    Lookup(Option<String>),
    /// The events that its last run came of, the latest first.
    Why(String),
    /// The events since its last run that did not run it.
    WhyNot(String),
    /// What a node that is not up to date waits for.
    WaitingOn(String),
}

impl Answers {
    /// One page of JSON, from `cursor` on.
    pub(crate) fn raw(&self, graph: &Graph, raw: &Raw, cursor: Option<u64>) -> Result<String, Rejected> {
        let queued = graph.inner().queued();
        let reading = self.read(graph);
        let items = match raw {
            Raw::State => reading.nodes.keys().map(|id| reading.state(*id)).collect(),
            Raw::Lookup(None) => reading.log.events.iter().map(event).collect(),
            Raw::Lookup(Some(node)) => {
                let id = reading.log.find(node)?;
                reading.log.events.iter().filter(|event| event.node == id || event.other == id).map(event).collect()
            }
            Raw::Why(node) => reading.log.why(reading.log.find(node)?),
            Raw::WhyNot(node) => reading.log.why_not(reading.log.find(node)?),
            Raw::WaitingOn(node) => reading.waiting_on(reading.log.find(node)?, &queued),
        };
        page(&items, cursor.unwrap_or(0), reading.log.last)
    }
}

/// The items from `from` on that fit into a page.
fn page(items: &[Json], from: u64, last: u64) -> Result<String, Rejected> {
    let start = usize::try_from(from).unwrap_or(usize::MAX);
    if start > 0 && start >= items.len() {
        return Err(Rejected::new(Stage::SchemaValidation, "the cursor is behind the end; start again"));
    }
    let mut taken = Vec::new();
    let mut size = AROUND;
    for item in items.iter().skip(start) {
        let text = item.to_string();
        size += text.len() + 1;
        if size > MOST && !taken.is_empty() {
            break;
        }
        taken.push(text);
    }
    let next = start + taken.len();
    let cursor = if next < items.len() { json!(next) } else { Json::Null };
    Ok(format!("{{\"seq\":{last},\"items\":[{}],\"cursor\":{cursor}}}", taken.join(",")))
}

fn event(event: &Event) -> Json {
    let Event { seq, what, node, other, arg, flag, cause, payload } = event;
    json!({
        "seq": seq, "kind": word(*what), "node": node, "other": other, "arg": arg, "flag": flag, "cause": cause,
        "payload": payload.as_deref(),
    })
}

fn word(what: What) -> &'static str {
    match what {
        What::Made => "made",
        What::Named => "named",
        What::Dropped => "dropped",
        What::Message => "message",
        What::Write => "write",
        What::Mark => "mark",
        What::MarkSkipped => "mark_skipped",
        What::Scheduled => "scheduled",
        What::CheckStart => "check_start",
        What::CheckResolved => "check_resolved",
        What::EdgeAdded => "edge_added",
        What::EdgeRemoved => "edge_removed",
        What::RunStart => "run_start",
        What::RunEnd => "run_end",
        What::Moved => "moved",
        What::FlushStart => "flush_start",
        What::FlushEnd => "flush_end",
        What::BatchEnter => "batch_enter",
        What::BatchExit => "batch_exit",
    }
}

impl Log {
    fn why(&self, id: u64) -> Vec<Json> {
        let mut chain = Vec::new();
        let mut at = self.nodes.get(&id).map_or(0, |record| if record.run > 0 { record.run } else { record.moved });
        while at > 0 {
            let Some(found) = self.get(at) else {
                chain.push(json!({ "seq": at, "kind": "before the checkpoint" }));
                break;
            };
            chain.push(event(found));
            at = found.cause;
        }
        chain
    }

    fn why_not(&self, id: u64) -> Vec<Json> {
        let run = self.nodes.get(&id).map_or(0, |record| record.run);
        let about = |found: &&Event| {
            found.node == id
                && matches!(found.what, What::Mark | What::MarkSkipped | What::CheckStart | What::CheckResolved)
        };
        self.since(run + 1).filter(about).map(event).collect()
    }
}

impl Reading<'_> {
    fn state(&self, id: u64) -> Json {
        let (Some(node), Some(record)) = (self.nodes.get(&id), self.log.nodes.get(&id)) else { return Json::Null };
        let ids = |nodes: &[std::rc::Rc<crate::graph::Node>]| {
            let mut ids: Vec<u64> = nodes.iter().map(|node| node.key.id).collect();
            ids.sort_unstable();
            ids
        };
        json!({
            "id": id, "kind": format!("{:?}", record.kind), "name": record.called(), "path": self.log.path(id),
            "exposed": !record.exposed.is_empty(), "value": self.value(node), "state": format!("{:?}", node.state.get()),
            "runs": record.runs, "site": format!("{}:{}", record.site.file(), record.site.line()),
            "sources": ids(&node.sources.borrow()), "observers": ids(&node.observers.borrow()),
        })
    }

    fn waiting_on(&self, id: u64, queued: &[u64]) -> Vec<Json> {
        let Some(node) = self.nodes.get(&id) else { return Vec::new() };
        let mut waits = Vec::new();
        if queued.contains(&id) {
            waits.push(json!({ "node": id, "on": "its turn in the flush" }));
        }
        if node.state.get() != State::Clean && node.key.kind == Kind::Memo {
            let observed = !node.observers.borrow().is_empty();
            waits.push(
                json!({ "node": id, "on": if observed { "a read or a flush" } else { "a read; nothing observes it" } }),
            );
        }
        for source in Self::upstream(node).iter().filter(|source| source.state.get() != State::Clean) {
            waits.push(json!({ "node": source.key.id, "name": self.log.label(source.key.id), "on": "its sources" }));
        }
        waits
    }
}
