//! What the graph tells of its steps, where nobody listens: nothing, and at no cost.

use std::any::Any;

use crate::graph::{Encode, Node};

/// Nobody.
#[derive(Debug, Default)]
pub(crate) struct Hook;

#[allow(clippy::unused_self, reason = "the same calls as with the feature `trace`, which keeps a log")]
impl Hook {
    /// Whether anybody listens.
    pub(crate) const ON: bool = false;

    pub(crate) fn new(_events: usize) -> Self {
        Self
    }

    pub(crate) fn exposed(&self, _node: &Node, _name: &str, _encode: Option<Encode>) {}
    pub(crate) fn peeked(&self, _node: &Node, _reader: &Node) {}
    pub(crate) fn message_started(&self, _label: &str) {}
    pub(crate) fn message_ended(&self) {}
    pub(crate) fn made(&self, _node: &Node, _owner: Option<&Node>) {}
    pub(crate) fn named(&self, _node: &Node, _name: &'static str) {}
    pub(crate) fn dropped(&self, _node: &Node) {}
    pub(crate) fn written(&self, _node: &Node, _moved: Option<(Option<&dyn Any>, &dyn Any)>, _by: Option<&Node>) {}
    pub(crate) fn marked(&self, _source: &Node, _node: &Node, _dirty: bool) {}
    pub(crate) fn mark_skipped(&self, _source: &Node, _node: &Node, _dirty: bool) {}
    pub(crate) fn scheduled(&self, _node: &Node) {}
    pub(crate) fn check_started(&self, _node: &Node) {}
    pub(crate) fn check_resolved(&self, _node: &Node, _clean: bool) {}
    pub(crate) fn edge_added(&self, _source: &Node, _observer: &Node) {}
    pub(crate) fn edge_removed(&self, _source: &Node, _observer: &Node) {}
    pub(crate) fn run_started(&self, _node: &Node) {}
    pub(crate) fn run_ended(&self, _node: &Node, _whole: bool, _moved: bool) {}
    pub(crate) fn moved(&self, _node: &Node, _before: Option<&dyn Any>, _value: &dyn Any) {}
    pub(crate) fn flush_started(&self) {}
    pub(crate) fn flush_ended(&self) {}
    pub(crate) fn batch_entered(&self) {}
    pub(crate) fn batch_left(&self) {}
}
