//! What all answers share: the log, the nodes as they stand, and how a node is written in a line.

use std::cell::RefMut;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

use super::log::{Log, What};
use super::source::{Sources, short};
use super::text::{bounded, joined, shown};
use crate::graph::{Graph, Kind, Node};
use crate::lines::cut;

/// The answer of `graph` has so many characters at most.
const MOST_GRAPH: usize = 2_000;
/// One line of a node.
const MOST_LINE: usize = 400;

/// What the traced tools are asked through, from any thread; each answer is made on the graph's.
#[derive(Clone, Debug)]
pub(crate) struct Answers {
    sources: Arc<Mutex<Sources>>,
}

/// The log of one graph, for the time of one answer.
pub(super) struct Reading<'a> {
    pub(super) log: RefMut<'a, Log>,
    pub(super) nodes: BTreeMap<u64, Rc<Node>>,
    sources: &'a Mutex<Sources>,
    files: BTreeSet<&'static str>,
}

impl Answers {
    /// Lines of sources are read below `root`, or the nearest folder with `.git`.
    pub(crate) fn new(root: Option<PathBuf>) -> Self {
        Self { sources: Arc::new(Mutex::new(Sources::new(root))) }
    }

    pub(super) fn read<'a>(&'a self, graph: &'a Graph) -> Reading<'a> {
        let nodes: BTreeMap<_, _> = graph.inner().all().into_iter().map(|node| (node.key.id, node)).collect();
        let files = nodes.values().map(|node| node.key.site.file()).collect();
        Reading { log: graph.inner().hook().0.borrow_mut(), nodes, sources: &self.sources, files }
    }

    /// The whole graph in short.
    pub(crate) fn graph(&self, graph: &Graph) -> String {
        let reading = self.read(graph);
        let mut lines = vec![reading.counts(), reading.exposed()];
        lines.push(reading.last_message());
        bounded(lines, 3, MOST_GRAPH)
    }
}

impl Reading<'_> {
    fn counts(&self) -> String {
        let mut kinds: BTreeMap<Kind, usize> = BTreeMap::new();
        for node in self.nodes.values() {
            *kinds.entry(node.key.kind).or_default() += 1;
        }
        let kinds: Vec<_> = kinds.into_iter().map(|(kind, count)| format!("{count} {kind:?}")).collect();
        format!("{} nodes: {}", self.nodes.len(), kinds.join(", "))
    }

    fn exposed(&self) -> String {
        match self.log.exposed().as_slice() {
            [] => "exposed: none".to_owned(),
            exposed => format!("exposed: {}", joined(exposed, 700)),
        }
    }

    /// The nodes that the last message moved.
    fn last_message(&self) -> String {
        let (first, last) = self.log.message;
        let Some(message) = self.log.get(first) else {
            return if first == 0 { "no message yet" } else { "the last message lies before the checkpoint" }
                .to_owned();
        };
        let label = message.payload.as_deref().unwrap_or("");
        let moved = self.log.since(first).take_while(|event| event.seq <= last);
        let moved = moved.filter(|event| event.flag && matches!(event.what, What::Write | What::Moved));
        let moved: Vec<_> = moved
            .map(|event| format!("{} {}", self.log.label(event.node), event.payload.as_deref().unwrap_or("")))
            .collect();
        if moved.is_empty() {
            return format!("last message: {label}; it moved no node");
        }
        format!("last message: {label}; moved {}", joined(&moved, 900))
    }

    /// The value of a node as it stands.
    pub(super) fn value(&self, node: &Node) -> Option<String> {
        let encode = self.log.nodes.get(&node.key.id).and_then(|record| record.encode);
        node.value().map(|value| shown(node, encode, &*value))
    }

    /// `total#5 Memo cart.rs:155 = 1200 reads [subtotal#4] | memo!(g, let total = …)`.
    pub(super) fn line(&self, node: &Node) -> String {
        let site = node.key.site;
        let file = short(site.file(), &self.files);
        let mut line = format!("{} {:?} {file}:{}", self.log.label(node.key.id), node.key.kind, site.line());
        if let Some(value) = self.value(node) {
            line.push_str(" = ");
            line.push_str(&value);
        }
        let sources: Vec<_> = node.sources.borrow().iter().map(|source| self.log.label(source.key.id)).collect();
        if !sources.is_empty() {
            let _ = write!(line, " reads [{}]", joined(&sources, 160));
        }
        let mut read = self.sources.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(text) = read.line(site, file) {
            line.push_str(" | ");
            line.push_str(&text);
        }
        cut(&line, MOST_LINE)
    }

    /// All that a node is computed from, the nearest first.
    pub(super) fn upstream(node: &Rc<Node>) -> Vec<Rc<Node>> {
        let (mut found, mut seen) = (Vec::new(), BTreeSet::from([node.key.id]));
        let mut queue: std::collections::VecDeque<_> = node.sources.borrow().iter().cloned().collect();
        while let Some(source) = queue.pop_front() {
            if seen.insert(source.key.id) {
                queue.extend(source.sources.borrow().iter().cloned());
                found.push(source);
            }
        }
        found
    }
}
