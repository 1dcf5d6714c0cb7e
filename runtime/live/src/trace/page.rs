//! A node and what stands around it, page by page.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::rc::Rc;

use nodecast::call::Stage;

use super::answer::{Answers, Reading};
use crate::graph::{Graph, Node};
use crate::lines::cut;
use crate::message::Rejected;

/// A page has so many characters at most.
const MOST: usize = 4_000;
/// Room for the line that names the next page.
const LAST_LINE: usize = 80;
/// So many characters of a path, which is as long as its owners are many.
const LONGEST_PATH: usize = 200;

/// How much is said of each node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Detail {
    /// Its line.
    #[default]
    Brief,
    /// Also its runs, the flush of the last one, and its owner.
    Full,
}

/// What is asked for.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    pub(crate) node: String,
    /// So many hops around it.
    pub(crate) around: u64,
    pub(crate) detail: Detail,
    /// So many nodes a page.
    pub(crate) limit: usize,
    pub(crate) cursor: Option<String>,
}

impl Answers {
    /// One page.
    pub(crate) fn page(&self, graph: &Graph, page: &Page) -> Result<String, Rejected> {
        let reading = self.read(graph);
        let id = reading.log.find(&page.node)?;
        let stale =
            || Rejected::new(Stage::SchemaValidation, "the cursor is of another state of the graph; start again");
        let node = reading.nodes.get(&id).cloned().ok_or_else(stale)?;
        let prefix = format!("{id}-{}-{}", reading.log.changed, page.around);
        let from: usize = match &page.cursor {
            None => 0,
            Some(cursor) => {
                let at = cursor.strip_prefix(&prefix).and_then(|rest| rest.strip_prefix('-'));
                at.and_then(|at| at.parse().ok()).ok_or_else(stale)?
            }
        };
        let all = Reading::around(&node, page.around);
        if from > 0 && from >= all.len() {
            return Err(stale());
        }
        let mut text = String::new();
        if from == 0 {
            text = reading.detailed(&node, page.detail);
        }
        let mut length = text.chars().count();
        let mut at = from;
        while let Some((word, other)) = all.get(at).filter(|_| at < from + page.limit.max(1)) {
            let line = format!("\n{word} {}", reading.detailed(other, page.detail));
            let own = line.chars().count();
            // A page has one at least, or there would be no end.
            if at > from && length + own > MOST - LAST_LINE {
                break;
            }
            length += own;
            text.push_str(&line);
            at += 1;
        }
        if at < all.len() {
            let _ = write!(text, "\n+{} more, cursor {prefix}-{at}", all.len() - at);
        }
        Ok(text.trim_start().to_owned())
    }
}

impl Reading<'_> {
    fn detailed(&self, node: &Node, detail: Detail) -> String {
        let mut line = self.line(node);
        let id = node.key.id;
        if let (Detail::Full, Some(record)) = (detail, self.log.nodes.get(&id)) {
            let owner = record.owner.map_or_else(|| "the graph".to_owned(), |owner| self.log.label(owner));
            let _ = write!(
                line,
                "; path {}, runs {}, last run in flush {}, owner {owner}",
                cut(&self.log.path(id), LONGEST_PATH),
                record.runs,
                record.run_flush
            );
        }
        line
    }

    /// The sources and the observers within so many hops, each once, the nearest first and sources before observers.
    fn around(node: &Rc<Node>, hops: u64) -> Vec<(&'static str, Rc<Node>)> {
        type Edges = fn(&Node) -> Vec<Rc<Node>>;
        let mut seen = BTreeSet::from([node.key.id]);
        let mut found = Vec::new();
        let ways: [(&'static str, Edges); 2] = [
            ("source", |node| node.sources.borrow().clone()),
            ("observer", |node| {
                let mut observers = node.observers.borrow().clone();
                observers.sort_unstable_by_key(|observer| observer.key.id);
                observers
            }),
        ];
        let mut fronts = [vec![node.clone()], vec![node.clone()]];
        for _ in 0..hops {
            for ((word, edges), front) in ways.iter().zip(&mut fronts) {
                let mut next = Vec::new();
                for other in front.iter().flat_map(|node| edges(node)) {
                    if seen.insert(other.key.id) {
                        found.push((*word, other.clone()));
                        next.push(other);
                    }
                }
                *front = next;
            }
        }
        found
    }
}
