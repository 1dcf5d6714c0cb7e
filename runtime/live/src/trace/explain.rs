//! Why a node holds its value: what its last run came of, and why it has not run since.

use std::rc::Rc;

use super::answer::{Answers, Reading};
use super::log::{Event, What};
use super::text::{bounded, joined};
use crate::graph::{Graph, Kind, Node, State};
use crate::message::Rejected;

/// An explanation has so many lines and characters at most.
const MOST_LINES: usize = 12;
const MOST: usize = 4_000;
/// So many characters of a chain of causes.
const MOST_CHAIN: usize = 1_400;

impl Answers {
    /// Why the node that is meant holds its value.
    pub(crate) fn explain(&self, graph: &Graph, named: &str) -> Result<String, Rejected> {
        let queued = graph.inner().queued();
        let reading = self.read(graph);
        let found = reading.log.find(named);
        let Some(node) = found.as_ref().ok().and_then(|id| reading.nodes.get(id)).cloned() else {
            return reading.log.disposed(named).map_or_else(|| found.map(|id| format!("#{id}")), Ok);
        };
        let id = node.key.id;
        let mut lines = vec![reading.line(&node)];
        lines.extend(reading.ran(&node));
        lines.extend(reading.since(&node, queued.contains(&id)));
        lines.extend(reading.unread(&node));
        let cutoff = reading.cutoff(&node);
        if cutoff.is_none() {
            lines.extend(reading.comparer(&node));
        }
        lines.extend(cutoff);
        Ok(bounded(lines, MOST_LINES, MOST))
    }
}

impl Reading<'_> {
    /// The cause chain of the last run.
    fn ran(&self, node: &Rc<Node>) -> Option<String> {
        let record = self.log.nodes.get(&node.key.id)?;
        if matches!(node.key.kind, Kind::Signal | Kind::Mvu) {
            // What is written does not run; the write is what it came of.
            if record.moved == 0 {
                return None;
            }
            return Some(format!("ran: {}", linked(&self.chain(record.moved))));
        }
        if record.run == 0 {
            return Some("ran: never; nothing has read it yet".to_owned());
        }
        let run = format!("run {}", record.runs);
        let label = || format!("{} ({run})", self.log.label(node.key.id));
        let own = match self.log.get(record.moved) {
            Some(Event { payload: Some(change), .. }) if record.moved > record.run => {
                format!("{} {change} ({run})", self.log.label(node.key.id))
            }
            // The change lies before the checkpoint, or there is none.
            _ if record.moved > record.run || node.key.kind == Kind::Effect => label(),
            _ => {
                let value = self.value(node).unwrap_or_default();
                format!("{} kept {value} ({run})", self.log.label(node.key.id))
            }
        };
        let mut chain = if record.run_cause == 0 {
            let first = if node.key.kind == Kind::Effect { "when it was made" } else { "when it was first read" };
            vec![first.to_owned()]
        } else {
            self.chain(record.run_cause)
        };
        chain.push(own);
        Some(format!("ran: {}", linked(&chain)))
    }

    /// From the message or the write to the move `seq`.
    fn chain(&self, seq: u64) -> Vec<String> {
        let mut chain = Vec::new();
        let mut at = seq;
        while at > 0 {
            let Some(event) = self.log.get(at) else {
                chain.push("before the checkpoint".to_owned());
                break;
            };
            let change = event.payload.as_deref().unwrap_or("");
            match event.what {
                What::Message => {
                    chain.push(change.to_owned());
                    break;
                }
                What::Write | What::Moved => chain.push(format!("{} {change}", self.log.label(event.node))),
                // An effect that wrote, or a run that moved its own node, which is named already.
                What::RunStart if self.kind(event.node) == Some(Kind::Effect) => chain.push(self.log.label(event.node)),
                _ => {}
            }
            if event.cause == 0 {
                chain.push(match event.what {
                    What::Write => "a write".to_owned(),
                    _ => "when it was first read".to_owned(),
                });
                break;
            }
            at = event.cause;
        }
        chain.reverse();
        chain
    }

    fn kind(&self, id: u64) -> Option<Kind> {
        self.log.nodes.get(&id).map(|record| record.kind)
    }

    /// Why it has not run since its last run, where something upstream has happened.
    fn since(&self, node: &Rc<Node>, queued: bool) -> Option<String> {
        let record = self.log.nodes.get(&node.key.id)?;
        if queued {
            return Some("since: queued, and runs in this flush".to_owned());
        }
        if matches!(node.key.kind, Kind::Signal | Kind::Mvu) || record.marked <= record.run {
            return None;
        }
        if node.state.get() != State::Clean {
            let why = "unobserved: a source may have moved, and nothing has read it since";
            return Some(format!("since: {why}"));
        }
        if record.clean < record.marked {
            return None;
        }
        let stopped = Self::upstream(node).into_iter().filter(|source| {
            source.key.kind == Kind::Memo
                && !Self::reads_models_only(source)
                && self.log.nodes.get(&source.key.id).is_some_and(|known| known.kept > record.run)
        });
        let stopped: Vec<_> = stopped.map(|source| self.log.label(source.key.id)).collect();
        if !stopped.is_empty() {
            return Some(format!("since: stopped at {}", joined(&stopped, 300)));
        }
        let sources: Vec<_> = node.sources.borrow().iter().map(|source| self.log.label(source.key.id)).collect();
        Some(format!("since: checked clean against [{}]", joined(&sources, 300)))
    }

    /// What it, or one that it is computed from, has looked at without reading it, and what has moved since.
    fn unread(&self, node: &Rc<Node>) -> Option<String> {
        let mut unread = Vec::new();
        for reader in std::iter::once(node.clone()).chain(Self::upstream(node)) {
            let Some(record) = self.log.nodes.get(&reader.key.id) else { continue };
            let reads = |id: &u64| reader.sources.borrow().iter().any(|source| source.key.id == *id);
            let who = || if Rc::ptr_eq(&reader, node) { "it".to_owned() } else { self.log.label(reader.key.id) };
            for id in record.peeked.iter().filter(|id| !reads(id)) {
                if let Some(change) = self.changed_since(*id, record.ended) {
                    unread.push(format!("{} {change}, which {} only peeks at", self.log.label(*id), who()));
                }
            }
        }
        (!unread.is_empty()).then(|| format!("unread: {}", joined(&unread, 600)))
    }

    /// How a node has moved after an event; one that nobody has read since is told by what has moved above it, since an
    /// explanation runs nothing.
    fn changed_since(&self, id: u64, seq: u64) -> Option<String> {
        let moved = |id: &u64| self.log.nodes.get(id).map_or(0, |record| record.moved);
        if moved(&id) > seq {
            let change = self.log.get(moved(&id)).and_then(|event| event.payload.clone());
            return Some(change.map_or_else(|| "moved before the checkpoint".to_owned(), |change| change.to_string()));
        }
        let node = self.nodes.get(&id).filter(|node| node.state.get() != State::Clean)?;
        let above = Self::upstream(node).into_iter().find(|source| moved(&source.key.id) > seq)?;
        let value = self.value(node).unwrap_or_default();
        Some(format!("{value} (stale: {} has moved since)", self.log.label(above.key.id)))
    }

    /// What has run and kept its value.
    fn cutoff(&self, node: &Rc<Node>) -> Option<String> {
        let record = self.log.nodes.get(&node.key.id)?;
        // That it has kept its own value is said by its run, unless a comparer of its own decided that.
        let own = node.comparer.is_some().then(|| node.clone());
        let mut kept: Vec<(u64, Rc<Node>)> = own
            .into_iter()
            .chain(Self::upstream(node))
            .filter(|other| other.key.kind == Kind::Memo && !Self::reads_models_only(other))
            .filter_map(|other| Some((self.log.nodes.get(&other.key.id)?.kept, other)).filter(|(kept, _)| *kept > 0))
            .collect();
        kept.sort_unstable_by_key(|(seq, _)| std::cmp::Reverse(*seq));
        let moved = |other: &Node| self.log.nodes.get(&other.key.id).map_or(0, |record| record.moved);
        let told = |(seq, other): &(u64, Rc<Node>)| {
            let then = match self.log.get(*seq) {
                Some(event) => event.payload.as_deref().map(str::to_owned),
                // What has not moved since holds the value that it kept.
                None if moved(other) < *seq => self.value(other),
                None => None,
            };
            let value = then.unwrap_or_else(|| "its value, before the checkpoint,".to_owned());
            let by = other.comparer.map_or_else(|| "an equal result".to_owned(), |name| format!("comparer {name}"));
            format!("{} kept {value} by {by}", self.log.label(other.key.id))
        };
        let since: Vec<_> = kept.iter().filter(|(seq, _)| *seq > record.run).map(told).collect();
        if !since.is_empty() {
            return Some(format!("cutoff: {}", joined(&since, 800)));
        }
        kept.first().map(|latest| format!("earlier cutoff: {}", told(latest)))
    }

    /// A selection of a model runs with each message, and mostly keeps its value; that says nothing.
    fn reads_models_only(node: &Node) -> bool {
        let sources = node.sources.borrow();
        !sources.is_empty() && sources.iter().all(|source| source.key.kind == Kind::Mvu)
    }

    fn comparer(&self, node: &Rc<Node>) -> Option<String> {
        let named = std::iter::once(node.clone()).chain(Self::upstream(node)).filter_map(|other| {
            let comparer = other.comparer?;
            let value = self.value(&other).unwrap_or_default();
            Some(format!("{} = {value} by {comparer}", self.log.label(other.key.id)))
        });
        let named: Vec<_> = named.take(2).collect();
        (!named.is_empty()).then(|| format!("comparer: {}", named.join(", ")))
    }
}

/// The links of a chain; of a long one the first, and as many of the last as fit.
fn linked(chain: &[String]) -> String {
    let whole = chain.join(" → ");
    let Some((first, rest)) = chain.split_first().filter(|_| whole.chars().count() > MOST_CHAIN) else { return whole };
    let mut left = MOST_CHAIN.saturating_sub(first.chars().count() + 20);
    let fits = |link: &&String| {
        let length = link.chars().count() + 3;
        let fits = length <= left;
        left = left.saturating_sub(length);
        fits
    };
    let shown = rest.iter().rev().take_while(fits).count();
    let last = rest.get(rest.len() - shown..).unwrap_or_default().join(" → ");
    format!("{first} → +{} more → {last}", rest.len() - shown)
}
