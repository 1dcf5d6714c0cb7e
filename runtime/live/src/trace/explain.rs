//! Why a node holds its value: what its last run came of, and why it has not run since.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use super::answer::{Answers, Reading};
use super::log::{Event, What};
use super::text::{bounded, joined};
use crate::graph::{Graph, Kind, Node, State};
use crate::message::Rejected;

/// An explanation has so many lines and characters at most.
const MOST_LINES: usize = 12;
const MOST: usize = 4_000;
/// So many links of a chain are shown.
const MOST_LINKS: usize = 40;

impl Answers {
    /// Why the node that is meant holds its value.
    pub(crate) fn explain(&self, graph: &Graph, named: &str) -> Result<String, Rejected> {
        let queued = graph.inner().queued();
        self.refresh_peeked(graph, named)?;
        let reading = self.read(graph);
        let id = reading.log.find(named)?;
        let Some(node) = reading.nodes.get(&id).cloned() else {
            return Ok(format!("since: #{id} is disposed"));
        };
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

    /// Brings up to date what a node has only peeked at: where nobody reads it, its move would not show.
    fn refresh_peeked(&self, graph: &Graph, named: &str) -> Result<(), Rejected> {
        let peeked: Vec<_> = {
            let reading = self.read(graph);
            let record = reading.log.nodes.get(&reading.log.find(named)?);
            let peeked = record.iter().flat_map(|record| &record.peeked);
            peeked.filter_map(|id| reading.nodes.get(id).cloned()).collect()
        };
        for node in peeked {
            // A panic is the application's, which meets it where it reads the node; here it has not moved.
            let _ = catch_unwind(AssertUnwindSafe(|| graph.inner().read(&node, false)));
        }
        Ok(())
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
            return Some(format!("ran: {}", self.chain(record.moved).join(" → ")));
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
        Some(format!("ran: {}", chain.join(" → ")))
    }

    /// From the message or the write to the move `seq`.
    fn chain(&self, seq: u64) -> Vec<String> {
        let mut chain = Vec::new();
        let mut at = seq;
        while at > 0 && chain.len() < MOST_LINKS {
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

    /// What it has looked at without reading it, and what has moved since.
    fn unread(&self, node: &Rc<Node>) -> Option<String> {
        let record = self.log.nodes.get(&node.key.id)?;
        let reads = |id: &u64| node.sources.borrow().iter().any(|source| source.key.id == *id);
        let moved = record.peeked.iter().filter(|id| !reads(id)).filter_map(|id| {
            let moved = self.log.nodes.get(id).map(|other| other.moved).filter(|moved| *moved > record.run)?;
            let change = self.log.get(moved).and_then(|event| event.payload.as_deref()).unwrap_or("moved");
            Some(format!("{} {change}, which it only peeks at", self.log.label(*id)))
        });
        let moved: Vec<_> = moved.collect();
        (!moved.is_empty()).then(|| format!("unread: {}", joined(&moved, 600)))
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
        let told = |(seq, other): &(u64, Rc<Node>)| {
            let then = self.log.get(*seq).and_then(|event| event.payload.as_deref().map(str::to_owned));
            let value = then.or_else(|| self.value(other)).unwrap_or_default();
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
