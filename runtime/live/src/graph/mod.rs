//! The graph: signals, memos and effects of one thread, and what keeps them in step.
//!
//! A write marks what is downstream and runs nothing; a read, or a flush for the effects, brings a node up to date by
//! asking its sources first, so that no reader sees a mix of old and new. What a node computes is the user's; nothing is
//! borrowed while it runs. Knows nothing of threads, names on a wire, or clients.
//!
//! Of our own, since no crate of signals has all four: a flush with an order (`reactive_graph`'s effects run later or at once,
//! sycamore-reactive computes each memo at each write), comparers with names, handles that stay on their thread, and a record
//! of causes.

mod flush;
mod handle;
mod mvu;
mod node;
mod run;

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, Location, catch_unwind, resume_unwind};
use std::rc::{Rc, Weak};
use std::sync::Arc;

pub(crate) use handle::effect_at;
pub use handle::{Effect, Memo, Signal, effect, memo, memo_by, signal};
pub use mvu::{Mvu, Refused};
pub use node::Kind;
#[cfg(feature = "trace")]
pub(crate) use node::State;
pub(crate) use node::{Key, Node, Rank};

use crate::hook::Hook;
use node::Made;
use run::Frame;

/// A value as clients read it, or why they cannot.
pub(crate) type Encode = fn(&dyn Any) -> Result<Arc<str>, String>;

/// A flush that has not settled after so many rounds is taken for one that never does.
pub const FLUSH_LIMIT: u32 = 1_000;

thread_local! {
    /// The graphs of this thread by number, so that a handle can be a copy and yet find its own.
    static GRAPHS: RefCell<Vec<Weak<Inner>>> = const { RefCell::new(Vec::new()) };
    /// The graph whose code runs.
    static ACTIVE: Cell<Option<usize>> = const { Cell::new(None) };
}

/// A graph of nodes on one thread; clones are the same graph.
///
/// ```
/// use nodecast_live::{Graph, memo, signal};
///
/// let g = Graph::new();
/// let price = signal(&g, 3);
/// let total = memo(&g, move || price.get() * 2);
/// price.set(5);
/// assert_eq!(total.get(), 10);
/// ```
///
/// A clone that one of its own nodes holds keeps the graph, until [`clear`](Self::clear).
#[derive(Clone)]
pub struct Graph(Rc<Inner>);

pub(crate) struct Inner {
    pub(crate) number: usize,
    nodes: RefCell<Slots>,
    made: Cell<u64>,
    /// What runs, the innermost last.
    frames: RefCell<Vec<Frame>>,
    /// The effects that have to look at their sources, in the order of their runs.
    queue: RefCell<BTreeMap<(Rank, u64), Rc<Node>>>,
    batches: Cell<u32>,
    flushing: Cell<bool>,
    /// A flush that panics ends there, since what it came of is taken back.
    attempting: Cell<bool>,
    pub(crate) limit: Cell<u32>,
    pub(crate) sealed: Cell<bool>,
    hook: Hook,
}

/// The nodes, each at a place that is used again when it is dropped.
#[derive(Default)]
struct Slots {
    places: Vec<Option<Rc<Node>>>,
    free: Vec<usize>,
}

impl Graph {
    /// A graph without nodes.
    pub fn new() -> Self {
        Self::with_hook(Hook::default())
    }

    pub(crate) fn with_hook(hook: Hook) -> Self {
        GRAPHS.with_borrow_mut(|graphs| {
            let inner = Rc::new(Inner {
                number: graphs.len(),
                nodes: RefCell::default(),
                made: Cell::new(0),
                frames: RefCell::default(),
                queue: RefCell::default(),
                batches: Cell::new(0),
                flushing: Cell::new(false),
                attempting: Cell::new(false),
                limit: Cell::new(FLUSH_LIMIT),
                sealed: Cell::new(false),
                hook,
            });
            graphs.push(Rc::downgrade(&inner));
            Self(inner)
        })
    }

    /// How many nodes there are.
    pub fn node_count(&self) -> usize {
        let nodes = self.0.nodes.borrow();
        nodes.places.len() - nodes.free.len()
    }

    /// Drops every node, and what their closures hold.
    pub fn clear(&self) {
        self.0.clear();
    }

    pub(crate) fn inner(&self) -> &Inner {
        &self.0
    }
}

/// Delays the flush of what `work` writes to its end; the outermost batch flushes, and a panic closes it too.
pub fn batch<T>(graph: &Graph, work: impl FnOnce() -> T) -> T {
    let inner = graph.inner();
    inner.batches.set(inner.batches.get() + 1);
    inner.hook.batch_entered();
    let done = catch_unwind(AssertUnwindSafe(work));
    inner.batches.set(inner.batches.get() - 1);
    inner.hook.batch_left();
    let settled = catch_unwind(AssertUnwindSafe(|| inner.settle()));
    match (done, settled) {
        (Ok(value), Ok(())) => value,
        // What went wrong first is what the caller hears of.
        (Err(panic), _) | (Ok(_), Err(panic)) => resume_unwind(panic),
    }
}

/// The graph of a handle; `key` is what a refusal names.
#[track_caller]
#[allow(clippy::panic, reason = "a handle that leads nowhere is the user's mistake, and the panic names it")]
fn of(key: &Key) -> Rc<Inner> {
    let found = GRAPHS.with_borrow(|graphs| graphs.get(key.graph).and_then(Weak::upgrade));
    let Some(inner) = found else { panic!("{key} is used after its graph was dropped") };
    assert!(
        ACTIVE.get().is_none_or(|active| active == key.graph),
        "{key} belongs to another graph than the node that uses it; a graph reads and writes its own nodes"
    );
    inner
}

impl Inner {
    pub(crate) fn hook(&self) -> &Hook {
        &self.hook
    }

    /// Adds a node; what runs now owns it.
    fn add(&self, kind: Kind, made: Made, site: &'static Location<'static>) -> Rc<Node> {
        let id = self.made.get() + 1;
        self.made.set(id);
        let owner = self.frames.borrow().last().and_then(|frame| frame.node.clone());
        let mut nodes = self.nodes.borrow_mut();
        let Slots { places, free } = &mut *nodes;
        let slot = free.pop().unwrap_or(places.len());
        let node = Rc::new(Node::new(Key { graph: self.number, slot, id, kind, name: None, site }, made));
        match places.get_mut(slot) {
            Some(place) => *place = Some(node.clone()),
            None => places.push(Some(node.clone())),
        }
        drop(nodes);
        self.hook.made(&node, owner.as_deref());
        if let Some(owner) = owner {
            owner.owned.borrow_mut().push(node.clone());
        }
        node
    }

    /// The node of a handle.
    #[track_caller]
    #[allow(clippy::panic, reason = "as in `of`")]
    pub(crate) fn node(&self, key: &Key) -> Rc<Node> {
        self.find(key).unwrap_or_else(|| {
            panic!("{key} is used after it was dropped, when what made it ran again or its graph was cleared")
        })
    }

    pub(crate) fn find(&self, key: &Key) -> Option<Rc<Node>> {
        self.nodes.borrow().places.get(key.slot).cloned().flatten().filter(|node| node.key.id == key.id)
    }

    /// The effects that have their turn in the flush.
    #[cfg(feature = "trace")]
    pub(crate) fn queued(&self) -> Vec<u64> {
        self.queue.borrow().keys().map(|(_, id)| *id).collect()
    }

    /// The nodes that there are, by id.
    #[cfg(feature = "trace")]
    pub(crate) fn all(&self) -> Vec<Rc<Node>> {
        let mut all: Vec<_> = self.nodes.borrow().places.iter().flatten().cloned().collect();
        all.sort_unstable_by_key(|node| node.key.id);
        all
    }

    /// Drops what `node` made in its last run.
    fn drop_owned(&self, node: &Node) {
        let owned = node.owned.take();
        for child in owned.into_iter().rev() {
            self.drop_node(&child);
        }
    }

    fn drop_node(&self, node: &Rc<Node>) {
        self.drop_owned(node);
        self.hook.dropped(node);
        node.dropped.set(true);
        for source in node.sources.take() {
            source.forget(node);
        }
        node.observers.borrow_mut().clear();
        self.queue.borrow_mut().remove(&node.turn());
        let mut nodes = self.nodes.borrow_mut();
        if let Some(place) = nodes.places.get_mut(node.key.slot)
            && place.take().is_some()
        {
            nodes.free.push(node.key.slot);
        }
        drop(nodes);
        // What the user's closures and values hold is let go of when nothing is borrowed.
        drop((node.work.take(), node.value.take()));
    }

    fn clear(&self) {
        loop {
            let last = self.nodes.borrow().places.iter().rev().flatten().next().cloned();
            let Some(node) = last else { return };
            self.drop_node(&node);
        }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.clear();
        // The thread may be at its end, and then so is the list.
        let _ = GRAPHS.try_with(|graphs| {
            if let Ok(mut graphs) = graphs.try_borrow_mut()
                && let Some(place) = graphs.get_mut(self.number)
            {
                *place = Weak::new();
            }
        });
    }
}
