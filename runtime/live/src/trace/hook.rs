//! What the graph tells, entered into the log.

use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;

use super::log::{Event, Log, Record, What};
use super::text::shown;
use crate::graph::{Encode, Node};

/// So many events are kept where nobody says otherwise.
const EVENTS: usize = 200_000;

/// The log of one graph.
#[derive(Debug)]
pub(crate) struct Hook(pub(super) RefCell<Log>);

impl Default for Hook {
    fn default() -> Self {
        Self::new(EVENTS)
    }
}

/// An event of nothing but its kind, to be filled in.
fn event(what: What) -> Event {
    Event { seq: 0, what, node: 0, other: 0, arg: 0, flag: false, cause: 0, payload: None }
}

fn about(what: What, node: &Node) -> Event {
    Event { node: node.key.id, ..event(what) }
}

impl Hook {
    /// Whether anybody listens.
    pub(crate) const ON: bool = true;

    pub(crate) fn new(events: usize) -> Self {
        Self(RefCell::new(Log::new(events)))
    }

    pub(crate) fn made(&self, node: &Node, owner: Option<&Node>) {
        let mut log = self.0.borrow_mut();
        let owner_id = owner.map(|owner| owner.key.id);
        let cause = owner.and_then(|owner| log.nodes.get(&owner.key.id)).map_or(0, |owner| owner.run);
        let generation = log.makes(owner_id, node.key.site);
        log.add(Event { other: owner_id.unwrap_or(0), arg: generation, cause, ..about(What::Made, node) });
        let record = Record {
            kind: node.key.kind,
            name: node.key.name,
            exposed: Vec::new(),
            encode: None,
            site: node.key.site,
            owner: owner_id,
            generation,
            runs: 0,
            run_flush: 0,
            run: 0,
            ended: 0,
            run_cause: 0,
            dirtied: 0,
            marked: 0,
            clean: 0,
            moved: 0,
            kept: 0,
            peeked: Vec::new(),
        };
        log.newest = node.key.id;
        log.nodes.insert(node.key.id, record);
    }

    pub(crate) fn named(&self, node: &Node, name: &'static str) {
        let mut log = self.0.borrow_mut();
        log.add(Event { payload: Some(name.into()), ..about(What::Named, node) });
        if let Some(record) = log.nodes.get_mut(&node.key.id) {
            record.name = Some(name);
        }
    }

    pub(crate) fn exposed(&self, node: &Node, name: &str, encode: Option<Encode>) {
        let mut log = self.0.borrow_mut();
        log.add(Event { flag: true, payload: Some(name.into()), ..about(What::Named, node) });
        if let Some(record) = log.nodes.get_mut(&node.key.id) {
            // The first name is the one that it is called by.
            record.exposed.push(name.into());
            record.encode = record.encode.or(encode);
        }
    }

    pub(crate) fn peeked(&self, node: &Node, reader: &Node) {
        let mut log = self.0.borrow_mut();
        if let Some(record) = log.nodes.get_mut(&reader.key.id)
            && !record.peeked.contains(&node.key.id)
        {
            record.peeked.push(node.key.id);
        }
    }

    pub(crate) fn dropped(&self, node: &Node) {
        let mut log = self.0.borrow_mut();
        let payload = Some(log.epitaph(node.key.id).into());
        log.add(Event { payload, ..about(What::Dropped, node) });
        log.drops(node.key.id);
    }

    pub(crate) fn message_started(&self, label: &str) {
        let mut log = self.0.borrow_mut();
        let seq = log.add(Event { payload: Some(label.into()), ..event(What::Message) });
        (log.message, log.dispatching) = ((seq, seq), true);
    }

    pub(crate) fn message_ended(&self) {
        let mut log = self.0.borrow_mut();
        log.message.1 = log.last;
        log.dispatching = false;
    }

    pub(crate) fn written(&self, node: &Node, moved: Option<(Option<&dyn Any>, &dyn Any)>, by: Option<&Node>) {
        // What is shown is the user's code, and nothing is borrowed while it runs.
        let payload = moved.map(|(before, value)| self.change(node, before, value));
        let mut log = self.0.borrow_mut();
        let by_run = by.and_then(|by| log.nodes.get(&by.key.id)).map(|by| by.run);
        let message = if log.dispatching { log.message.0 } else { 0 };
        let cause = by_run.unwrap_or(message);
        let other = by.map_or(0, |by| by.key.id);
        let seq = log.add(Event { other, flag: moved.is_some(), cause, payload, ..about(What::Write, node) });
        if moved.is_some()
            && let Some(record) = log.nodes.get_mut(&node.key.id)
        {
            record.moved = seq;
        }
    }

    pub(crate) fn marked(&self, source: &Node, node: &Node, dirty: bool) {
        self.mark(What::Mark, source, node, dirty);
    }

    pub(crate) fn mark_skipped(&self, source: &Node, node: &Node, dirty: bool) {
        self.mark(What::MarkSkipped, source, node, dirty);
    }

    fn mark(&self, what: What, source: &Node, node: &Node, dirty: bool) {
        let mut log = self.0.borrow_mut();
        // A dirty mark comes of the move of its source, another of the mark of its source.
        let record = log.nodes.get(&source.key.id);
        let cause = record.map_or(0, |record| if dirty { record.moved } else { record.marked });
        let seq = log.add(Event { other: source.key.id, flag: dirty, cause, ..about(what, node) });
        if let Some(record) = log.nodes.get_mut(&node.key.id) {
            record.marked = seq;
            if dirty {
                record.dirtied = cause;
            }
        }
    }

    pub(crate) fn scheduled(&self, node: &Node) {
        let mut log = self.0.borrow_mut();
        let cause = log.nodes.get(&node.key.id).map_or(0, |record| record.marked);
        log.add(Event { cause, ..about(What::Scheduled, node) });
    }

    pub(crate) fn check_started(&self, node: &Node) {
        let mut log = self.0.borrow_mut();
        let cause = log.nodes.get(&node.key.id).map_or(0, |record| record.marked);
        log.add(Event { cause, ..about(What::CheckStart, node) });
    }

    pub(crate) fn check_resolved(&self, node: &Node, clean: bool) {
        let mut log = self.0.borrow_mut();
        let cause = log.nodes.get(&node.key.id).map_or(0, |record| if clean { record.marked } else { record.dirtied });
        let seq = log.add(Event { flag: clean, cause, ..about(What::CheckResolved, node) });
        if clean && let Some(record) = log.nodes.get_mut(&node.key.id) {
            record.clean = seq;
        }
    }

    pub(crate) fn edge_added(&self, source: &Node, observer: &Node) {
        self.edge(What::EdgeAdded, source, observer);
    }

    pub(crate) fn edge_removed(&self, source: &Node, observer: &Node) {
        self.edge(What::EdgeRemoved, source, observer);
    }

    fn edge(&self, what: What, source: &Node, observer: &Node) {
        let mut log = self.0.borrow_mut();
        let cause = log.nodes.get(&observer.key.id).map_or(0, |record| record.run);
        log.add(Event { other: source.key.id, cause, ..about(what, observer) });
    }

    pub(crate) fn run_started(&self, node: &Node) {
        let mut log = self.0.borrow_mut();
        let flush = if log.in_flush { log.flushes } else { 0 };
        let cause = log.nodes.get(&node.key.id).map_or(0, |record| record.dirtied);
        let seq = log.add(Event { arg: node.runs.get(), cause, ..about(What::RunStart, node) });
        if let Some(record) = log.nodes.get_mut(&node.key.id) {
            (record.run, record.run_cause, record.dirtied) = (seq, cause, 0);
            (record.runs, record.run_flush) = (node.runs.get(), flush);
            record.peeked.clear();
        }
    }

    pub(crate) fn run_ended(&self, node: &Node, whole: bool, moved: bool) {
        let (cause, dirtied, encode) = {
            let log = self.0.borrow();
            let record = log.nodes.get(&node.key.id);
            record.map_or((0, 0, None), |record| (record.run, record.run_cause, record.encode))
        };
        let kept = whole && !moved && dirtied > 0;
        // What is shown is the user's own code, and no log is borrowed meanwhile.
        let payload = node.value().filter(|_| kept).map(|value| shown(node, encode, &*value).into());
        let mut log = self.0.borrow_mut();
        let seq = log.add(Event { arg: node.runs.get(), flag: whole, cause, payload, ..about(What::RunEnd, node) });
        if let Some(record) = log.nodes.get_mut(&node.key.id) {
            record.ended = seq;
            if kept {
                record.kept = seq;
            }
        }
    }

    pub(crate) fn moved(&self, node: &Node, before: Option<&dyn Any>, value: &dyn Any) {
        let payload = Some(self.change(node, before, value));
        let mut log = self.0.borrow_mut();
        let cause = log.nodes.get(&node.key.id).map_or(0, |record| record.run);
        let seq = log.add(Event { flag: true, cause, payload, ..about(What::Moved, node) });
        if let Some(record) = log.nodes.get_mut(&node.key.id) {
            record.moved = seq;
        }
    }

    pub(crate) fn flush_started(&self) {
        let mut log = self.0.borrow_mut();
        log.flushes += 1;
        log.in_flush = true;
        let flush = log.flushes;
        log.add(Event { arg: flush, ..event(What::FlushStart) });
    }

    pub(crate) fn flush_ended(&self) {
        let mut log = self.0.borrow_mut();
        log.in_flush = false;
        let flush = log.flushes;
        log.add(Event { arg: flush, ..event(What::FlushEnd) });
    }

    pub(crate) fn batch_entered(&self) {
        self.0.borrow_mut().add(event(What::BatchEnter));
    }

    pub(crate) fn batch_left(&self) {
        self.0.borrow_mut().add(event(What::BatchExit));
    }

    /// `old→new`, or the value alone where there was none before.
    fn change(&self, node: &Node, before: Option<&dyn Any>, value: &dyn Any) -> Rc<str> {
        let encode = self.0.borrow().nodes.get(&node.key.id).and_then(|record| record.encode);
        let new = shown(node, encode, value);
        match before {
            Some(before) => format!("{}→{new}", shown(node, encode, before)).into(),
            None => new.into(),
        }
    }
}
