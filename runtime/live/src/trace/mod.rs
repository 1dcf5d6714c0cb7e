//! The log of what the graph does, and the answers that are read from it.
//!
//! Every fact is recorded when it happens, with its cause; nothing is inferred afterwards. The same program gives the same
//! log to the byte: no clock, no address, no order of a hash is in it.

mod answer;
mod explain;
mod find;
mod hook;
mod log;
mod page;
mod raw;
mod source;
mod text;

pub(crate) use answer::Answers;
pub(crate) use hook::Hook;
pub(crate) use page::{Detail, Page};
pub(crate) use raw::Raw;

impl crate::graph::Graph {
    /// All events that are kept, one a line: the same for the same program, to the byte.
    pub fn trace_dump(&self) -> String {
        self.inner().hook().0.borrow().dump()
    }
}
