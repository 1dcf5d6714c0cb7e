//! One declaration, every face: annotate structs, serve them as MCP tools, JSON and msgpack calls.

#![forbid(unsafe_code)]

pub mod call;
pub mod catalog;
pub mod contract;
pub mod decl;
pub mod manifest;
pub mod schema;
#[cfg(feature = "serve")]
pub mod serve;
pub mod session;
pub mod wire;

pub use call::{BlockingNode, Context, Error, Lifecycle, Node, NodeError, NodeMut, Nodeset, One, Outputs};
pub use nodecast_macros::{NodeError, Outputs, node, nodeset};
#[cfg(feature = "serve")]
pub use serve::{Host, serve, serve_linked};
pub use wire::{Bytes, Image, Tensor, Value};

/// What a file that declares nodes needs.
pub mod prelude {
    pub use crate::{
        BlockingNode, Bytes, Context, Error, Image, Lifecycle, Node, NodeError, NodeMut, One, Outputs, Tensor, Value,
        node, nodeset,
    };
}

/// What generated code stands on; no part of the public interface.
#[doc(hidden)]
pub mod __private {
    pub use core::marker::{Send, Sync};
    pub use core::option::Option::{self, None, Some};
    pub use core::result::Result::{self, Err, Ok};
    pub use core::{concat, env, file, line};

    pub use linkme;

    pub use crate::Error;
    pub use crate::call::{
        Args, Arguments, Hooks, Invalid, NodeError, Nodeset, Outputs, Probe, Reply, Table, ViaDefault, ViaLifecycle,
        ViaNothing, check_node, declared_error, input_type, output_type, row,
    };
    pub use crate::catalog::{Linked, NODESETS};
    pub use crate::decl::{
        Choice, ConfigDecl, ErrorKindDecl, Exclusivity, FieldDecl, Hints, Literal, NodeDecl, NodesetDecl, Parallelism,
        Section, Source, Widget,
    };
}
