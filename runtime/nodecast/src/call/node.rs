//! The traits that a node implements; which one it is says how the node reaches its nodeset.

use std::future::Future;

use super::{Args, Context, Invalid, NodeError, Outputs};
use crate::decl::NodeDecl;

/// The arguments of one call, made by `#[node]`: the struct's declaration and its constructor.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no node",
    label = "not declared as a node",
    note = "add `#[nodecast::node]` to the struct"
)]
pub trait Arguments: Sized + Send + 'static {
    /// What the struct says.
    const DECL: NodeDecl;

    /// Builds the struct from checked arguments.
    fn decode(args: &mut Args) -> Result<Self, Invalid>;
}

/// A node that reads its nodeset; any number of calls run at once.
pub trait Node<S>: Arguments {
    /// What it returns.
    type Output: Outputs;
    /// How it fails.
    type Error: NodeError;

    /// Runs one call; `self` holds its arguments.
    fn run(self, set: &S, cx: &Context) -> impl Future<Output = Result<Self::Output, Self::Error>> + Send;
}

/// A node that changes its nodeset; it runs alone, after all calls before it and before all after it.
pub trait NodeMut<S>: Arguments {
    /// What it returns.
    type Output: Outputs;
    /// How it fails.
    type Error: NodeError;

    /// Runs one call; `self` holds its arguments.
    fn run(self, set: &mut S, cx: &Context) -> impl Future<Output = Result<Self::Output, Self::Error>> + Send;
}

/// A node that computes for long without awaiting; it runs off the async workers.
pub trait BlockingNode<S>: Arguments {
    /// What it returns.
    type Output: Outputs;
    /// How it fails.
    type Error: NodeError;

    /// Runs one call; `self` holds its arguments.
    fn run(self, set: &S, cx: &Context) -> Result<Self::Output, Self::Error>;
}
