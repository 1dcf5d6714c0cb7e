//! What a graph is asked beyond what its nodes do: by its host, and by the traits that every type has.

use std::any::Any;
use std::rc::Rc;

use crate::graph::{Encode, Graph, Key};

impl Default for Graph {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for Graph {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Graph").field("nodes", &self.node_count()).finish_non_exhaustive()
    }
}

impl Graph {
    /// Takes a flush for one that never settles after so many rounds, in place of [`FLUSH_LIMIT`](crate::FLUSH_LIMIT).
    pub fn limit_flush(&self, rounds: u32) {
        self.inner().limit.set(rounds);
    }

    /// Says that `setup` has returned, after which nothing more is exposed.
    pub(crate) fn seal(&self) {
        self.inner().sealed.set(true);
    }

    pub(crate) fn is_sealed(&self) -> bool {
        self.inner().sealed.get()
    }

    /// Whether a handle names one of its nodes.
    pub(crate) fn owns(&self, key: &Key) -> bool {
        key.graph == self.inner().number && self.inner().find(key).is_some()
    }

    /// Tells the log of the name by which clients know a node.
    pub(crate) fn expose(&self, key: &Key, name: &str, encode: Option<Encode>) {
        self.inner().hook().exposed(&self.inner().node(key), name, encode);
    }

    /// Dispatches a message under the label that the log keeps of it.
    pub(crate) fn labelled<T>(&self, label: &str, dispatch: impl FnOnce() -> T) -> T {
        self.inner().hook().message_started(label);
        let done = dispatch();
        self.inner().hook().message_ended();
        done
    }

    /// Reads a node for whatever runs: how often it has moved, and its value.
    pub(crate) fn touch(&self, key: &Key) -> (u64, Option<Rc<dyn Any>>) {
        let node = self.inner().node(key);
        self.inner().read(&node, true);
        (node.moves.get(), node.value())
    }
}
