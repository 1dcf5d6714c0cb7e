//! One node: its value, its work, its edges, and how it stands to its sources.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::Location;
use std::rc::Rc;

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A value that is written.
    Signal,
    /// A model that messages change.
    Mvu,
    /// A value that is computed from others.
    Memo,
    /// Work that is done when others move.
    Effect,
}

/// How a node is found, and what it is called when it is not.
#[derive(Clone, Copy)]
pub(crate) struct Key {
    pub(crate) graph: usize,
    pub(super) slot: usize,
    pub(crate) id: u64,
    pub(crate) kind: Kind,
    pub(crate) name: Option<&'static str>,
    pub(crate) site: &'static Location<'static>,
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { id, kind, site, .. } = self;
        let name = self.name.unwrap_or("node");
        write!(f, "`{name}` ({kind:?}#{id}, made at {}:{})", site.file(), site.line())
    }
}

/// How a node stands to its sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum State {
    /// Nothing has moved since.
    Clean,
    /// Something further up has moved.
    Check,
    /// A source has moved.
    Dirty,
}

/// When an effect has its turn in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    /// With all others, in creation order.
    Ordinary,
    /// When no other has one.
    Last,
}

/// What a memo or an effect does: its value if that has moved from the one before.
pub(super) type Work = Box<dyn FnMut(Option<&dyn Any>) -> Option<Rc<dyn Any>>>;

/// Writes a value in the words of `Debug`.
pub(crate) type Shown = fn(&dyn Any, &mut dyn fmt::Write) -> fmt::Result;

/// What is known of a node when it is made.
pub(super) struct Made {
    pub(super) value: Option<Rc<dyn Any>>,
    pub(super) work: Option<Work>,
    /// What a model makes of its messages.
    pub(super) update: Option<Rc<dyn Any>>,
    pub(super) rank: Rank,
    /// The name of its comparer, where it has one.
    pub(super) comparer: Option<&'static str>,
    /// Its values in the words of `Debug`.
    pub(super) shown: Shown,
}

#[cfg_attr(not(feature = "trace"), allow(dead_code, reason = "the log alone shows values and names comparers"))]
pub(crate) struct Node {
    pub(crate) key: Key,
    /// Given after it was made.
    pub(crate) name: Cell<Option<&'static str>>,
    pub(crate) comparer: Option<&'static str>,
    pub(crate) shown: Shown,
    pub(super) rank: Rank,
    pub(super) update: Option<Rc<dyn Any>>,
    pub(crate) state: Cell<State>,
    /// Its last run ended in a panic, so that the next look at it runs it.
    pub(super) failed: Cell<bool>,
    pub(super) running: Cell<bool>,
    pub(super) dropped: Cell<bool>,
    pub(crate) runs: Cell<u64>,
    /// How often its value has moved.
    pub(crate) moves: Cell<u64>,
    pub(super) value: RefCell<Option<Rc<dyn Any>>>,
    pub(super) work: RefCell<Option<Work>>,
    pub(crate) sources: RefCell<Vec<Rc<Node>>>,
    pub(crate) observers: RefCell<Vec<Rc<Node>>>,
    pub(super) owned: RefCell<Vec<Rc<Node>>>,
    /// The run that read it last, by node and number.
    pub(super) read_by: Cell<(u64, u64)>,
}

impl Node {
    pub(super) fn new(key: Key, made: Made) -> Self {
        let Made { value, work, update, rank, comparer, shown } = made;
        Self {
            key,
            name: Cell::new(key.name),
            comparer,
            shown,
            rank,
            update,
            // What has work to do has not done it yet.
            state: Cell::new(if work.is_some() { State::Dirty } else { State::Clean }),
            failed: Cell::new(false),
            running: Cell::new(false),
            dropped: Cell::new(false),
            runs: Cell::new(0),
            moves: Cell::new(0),
            value: RefCell::new(value),
            work: RefCell::new(work),
            sources: RefCell::default(),
            observers: RefCell::default(),
            owned: RefCell::default(),
            read_by: Cell::new((0, 0)),
        }
    }

    /// Its place in the queue of a flush.
    pub(super) fn turn(&self) -> (Rank, u64) {
        (self.rank, self.key.id)
    }

    /// What it is called in a message.
    pub(super) fn called(&self) -> String {
        Key { name: self.name.get(), ..self.key }.to_string()
    }

    /// Takes an observer off; the latest edge is the likeliest to go.
    pub(super) fn forget(&self, observer: &Self) {
        let mut observers = self.observers.borrow_mut();
        if let Some(at) = observers.iter().rposition(|other| other.key.id == observer.key.id) {
            observers.swap_remove(at);
        }
    }

    /// Its value as it stands.
    pub(crate) fn value(&self) -> Option<Rc<dyn Any>> {
        self.value.borrow().clone()
    }
}
