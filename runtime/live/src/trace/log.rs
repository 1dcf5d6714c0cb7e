//! The events, a bounded number of them, and what is kept of each node.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;
use std::panic::Location;
use std::rc::Rc;

use crate::graph::{Encode, Kind};

/// What has happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Made,
    Named,
    Dropped,
    Message,
    Write,
    Mark,
    MarkSkipped,
    Scheduled,
    CheckStart,
    CheckResolved,
    EdgeAdded,
    EdgeRemoved,
    RunStart,
    RunEnd,
    Moved,
    FlushStart,
    FlushEnd,
    BatchEnter,
    BatchExit,
}

/// One step of the graph.
#[derive(Clone, Debug)]
pub(super) struct Event {
    pub(super) seq: u64,
    pub(super) what: What,
    /// The node that it is about; 0 for none.
    pub(super) node: u64,
    /// The node at the other end.
    pub(super) other: u64,
    /// A number: of a run, or a flush.
    pub(super) arg: u64,
    pub(super) flag: bool,
    /// The event that brought it about; 0 for none.
    pub(super) cause: u64,
    pub(super) payload: Option<Rc<str>>,
}

/// What is kept of a node beyond the events.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) kind: Kind,
    pub(super) name: Option<&'static str>,
    /// As clients know it; the first name is the one that it is called by.
    pub(super) exposed: Vec<Rc<str>>,
    pub(super) encode: Option<Encode>,
    pub(super) site: &'static Location<'static>,
    pub(super) owner: Option<u64>,
    /// How often its owner has made it, counted by place.
    pub(super) generation: u64,
    pub(super) runs: u64,
    /// The flush of its last run; 0 for outside of one.
    pub(super) run_flush: u64,
    /// The start of its last run.
    pub(super) run: u64,
    /// The end of it.
    pub(super) ended: u64,
    /// What dirtied it before that run.
    pub(super) run_cause: u64,
    /// What has dirtied it since: the move of a source.
    pub(super) dirtied: u64,
    /// The last mark, dirty or not.
    pub(super) marked: u64,
    /// The last check that found it clean.
    pub(super) clean: u64,
    /// Its last move.
    pub(super) moved: u64,
    /// The last run that kept its value after a source had moved.
    pub(super) kept: u64,
    /// What it has looked at in its last run without reading it.
    pub(super) peeked: Vec<u64>,
}

/// An owner, and a place in the source.
type Spot = (u64, &'static str, u32, u32);

fn spot(owner: Option<u64>, site: &'static Location<'static>) -> Spot {
    (owner.unwrap_or(0), site.file(), site.line(), site.column())
}

/// What happened, oldest first, and the nodes that there are.
#[derive(Debug)]
pub(super) struct Log {
    pub(super) events: VecDeque<Event>,
    most: usize,
    pub(super) last: u64,
    /// The number of the node that was made last.
    pub(super) newest: u64,
    pub(super) nodes: BTreeMap<u64, Record>,
    /// How often a place of an owner has made its first node, its second, and so on.
    made: BTreeMap<(Spot, u64), u64>,
    /// How many nodes of a place there are.
    alive: BTreeMap<Spot, u64>,
    pub(super) flushes: u64,
    pub(super) in_flush: bool,
    /// The last message: its event, and the last event of its dispatch.
    pub(super) message: (u64, u64),
    pub(super) dispatching: bool,
    /// The last change of nodes and edges, for whoever has listed them.
    pub(super) changed: u64,
}

impl Log {
    pub(super) fn new(most: usize) -> Self {
        Self {
            events: VecDeque::new(),
            most: most.max(1),
            last: 0,
            newest: 0,
            nodes: BTreeMap::new(),
            made: BTreeMap::new(),
            alive: BTreeMap::new(),
            flushes: 0,
            in_flush: false,
            message: (0, 0),
            dispatching: false,
            changed: 0,
        }
    }

    /// Adds an event; gives its number.
    pub(super) fn add(&mut self, event: Event) -> u64 {
        self.last += 1;
        if matches!(event.what, What::Made | What::Dropped | What::Named | What::EdgeAdded | What::EdgeRemoved) {
            self.changed = self.last;
        }
        if self.events.len() >= self.most {
            // The checkpoint is what the records say.
            self.events.pop_front();
        }
        self.events.push_back(Event { seq: self.last, ..event });
        self.last
    }

    /// An event, unless it lies before the checkpoint.
    pub(super) fn get(&self, seq: u64) -> Option<&Event> {
        let first = self.events.front()?.seq;
        self.events.get(usize::try_from(seq.checked_sub(first)?).ok()?)
    }

    /// The events from this one on.
    pub(super) fn since(&self, seq: u64) -> impl DoubleEndedIterator<Item = &Event> {
        let first = self.events.front().map_or(0, |event| event.seq);
        let skipped = usize::try_from(seq.saturating_sub(first)).unwrap_or(usize::MAX);
        self.events.iter().skip(skipped)
    }

    /// A place makes a node for an owner: how often it has made one that stands where this one does among its equals.
    pub(super) fn makes(&mut self, owner: Option<u64>, site: &'static Location<'static>) -> u64 {
        let spot = spot(owner, site);
        let alive = self.alive.entry(spot).or_insert(0);
        *alive += 1;
        let times = self.made.entry((spot, *alive)).or_insert(0);
        *times += 1;
        *times
    }

    /// A node is dropped.
    pub(super) fn drops(&mut self, node: u64) {
        let Some(record) = self.nodes.remove(&node) else { return };
        if let Some(alive) = self.alive.get_mut(&spot(record.owner, record.site)) {
            *alive = alive.saturating_sub(1);
        }
        // What it owned is dropped before it, and it makes nothing more.
        let own = (node, "", 0, 0)..(node + 1, "", 0, 0);
        let spots: Vec<Spot> = self.alive.range(own).map(|(spot, _)| *spot).collect();
        for spot in spots {
            self.alive.remove(&spot);
            let made: Vec<_> = self
                .made
                .range((spot, 0)..)
                .take_while(|((other, _), _)| *other == spot)
                .map(|(key, _)| *key)
                .collect();
            for key in made {
                self.made.remove(&key);
            }
        }
    }

    /// What is said of a node that is dropped.
    pub(super) fn epitaph(&self, id: u64) -> String {
        let Some(Record { kind, site, .. }) = self.nodes.get(&id) else { return String::new() };
        let file = site.file().rsplit(['/', '\\']).next().unwrap_or_default();
        format!("{} {kind:?} {file}:{}", self.label(id), site.line())
    }

    /// All events as text, one a line.
    pub(super) fn dump(&self) -> String {
        let mut text = String::new();
        for Event { seq, what, node, other, arg, flag, cause, payload } in &self.events {
            let payload = payload.as_deref().unwrap_or("");
            let _ = writeln!(text, "{seq} {what:?} {node} {other} {arg} {flag} {cause} {payload}");
        }
        text
    }
}
