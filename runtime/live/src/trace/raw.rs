//! The log itself, for tools that make answers of their own: JSON, page by page.

use nodecast::call::Stage;
use serde_json::{Value as Json, json};

use super::answer::{Answers, Reading};
use super::log::{Event, Log, What};
use crate::graph::{Graph, Kind, State};
use crate::message::Rejected;

/// A page has so many bytes at most: `live.md` 8 allows 64 KiB, and of a text beyond 40,000 units MCP's clients get head and
/// tail alone (`mcp.md` 3).
const MOST: usize = 39_000;
/// So many sources, and observers, of one node are listed, of which a page holds all; `node` shows the others.
const MOST_NEIGHBOURS: usize = 2_500;
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

/// The items of an answer, each under the number that a cursor names it by, which only grows.
type Items<'a> = Box<dyn Iterator<Item = (u64, Json)> + 'a>;

impl Answers {
    /// One page of JSON, from `cursor` on.
    pub(crate) fn raw(&self, graph: &Graph, raw: &Raw, cursor: Option<u64>) -> Result<String, Rejected> {
        let queued = graph.inner().queued();
        let reading = self.read(graph);
        let (log, from) = (&*reading.log, cursor.unwrap_or(0));
        // By its own number, which stays when older events are lost; and only what stands on the page is written out.
        let events = move || log.events.iter().filter(move |event| event.seq >= from);
        let items: Items<'_> = match raw {
            Raw::State => Box::new(reading.nodes.range(from..).map(|(id, _)| (*id, reading.state(*id)))),
            Raw::Lookup(None) => Box::new(events().map(numbered)),
            Raw::Lookup(Some(node)) => {
                let id = log.find(node)?;
                Box::new(events().filter(move |event| event.node == id || event.other == id).map(numbered))
            }
            Raw::Why(node) => counted(log.why(log.find(node)?), from),
            Raw::WhyNot(node) => {
                let id = log.find(node)?;
                Box::new(events().filter(move |event| log.kept_from_running(id, event)).map(numbered))
            }
            Raw::WaitingOn(node) => counted(reading.waiting_on(log.find(node)?, &queued), from),
        };
        page(items, from, log.last)
    }
}

fn numbered(found: &Event) -> (u64, Json) {
    (found.seq, event(found))
}

/// The items of a short list, by their places.
fn counted(items: Vec<Json>, from: u64) -> Items<'static> {
    Box::new((0..).zip(items).filter(move |(at, _)| *at >= from))
}

/// As many items as fit into a page.
fn page(items: Items<'_>, from: u64, last: u64) -> Result<String, Rejected> {
    let (mut taken, mut size, mut cursor) = (Vec::new(), AROUND, Json::Null);
    for (number, item) in items {
        let text = item.to_string();
        size += text.len() + 1;
        if size > MOST && !taken.is_empty() {
            cursor = json!(number);
            break;
        }
        taken.push(text);
    }
    if from > 0 && taken.is_empty() {
        return Err(Rejected::new(Stage::SchemaValidation, "the cursor is behind the end; start again"));
    }
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

    /// Whether an event is one since the last run of this node that did not run it.
    fn kept_from_running(&self, id: u64, found: &Event) -> bool {
        let run = self.nodes.get(&id).map_or(0, |record| record.run);
        found.node == id
            && found.seq > run
            && matches!(found.what, What::Mark | What::MarkSkipped | What::CheckStart | What::CheckResolved)
    }
}

impl Reading<'_> {
    fn state(&self, id: u64) -> Json {
        let (Some(node), Some(record)) = (self.nodes.get(&id), self.log.nodes.get(&id)) else { return Json::Null };
        let ids = |nodes: &[std::rc::Rc<crate::graph::Node>]| {
            let mut ids: Vec<u64> = nodes.iter().map(|node| node.key.id).collect();
            ids.sort_unstable();
            ids.truncate(MOST_NEIGHBOURS);
            ids
        };
        json!({
            "id": id, "kind": format!("{:?}", record.kind), "name": record.called(), "path": self.log.path(id),
            "exposed": !record.exposed.is_empty(), "value": self.value(node), "state": format!("{:?}", node.state.get()),
            "runs": record.runs, "site": format!("{}:{}", record.site.file(), record.site.line()),
            "sources": ids(&node.sources.borrow()), "observers": ids(&node.observers.borrow()),
            "source_count": node.sources.borrow().len(), "observer_count": node.observers.borrow().len(),
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
