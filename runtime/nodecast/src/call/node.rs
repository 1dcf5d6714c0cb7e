//! The traits that a node implements; which one it is says how the node reaches its nodeset.

use std::future::Future;

use super::{Args, Context, Invalid, NodeError, Outputs};
use crate::Error;
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

/// What `run` returns: any future. A name of our own for it, so that a forgotten `async` is answered in our words.
#[diagnostic::on_unimplemented(
    message = "`run` returns `{Self}`, and a node returns a future of it",
    label = "not a future",
    note = "write `async fn run`, or implement `BlockingNode` for a node that computes without awaiting"
)]
pub trait Running: Future {}

#[diagnostic::do_not_recommend]
impl<F: Future> Running for F {}

/// A node that reads its nodeset; any number of calls run at once.
pub trait Node<S>: Arguments {
    /// What it returns.
    type Output: Outputs;
    /// How it fails.
    type Error: NodeError;

    /// Runs one call; `self` holds its arguments.
    fn run(self, set: &S, cx: &Context) -> impl Running<Output = Result<Self::Output, Self::Error>> + Send;

    /// Prepares the node, such as by loading what only it needs: once, in listed order, when the nodeset has started and
    /// before any call. A failure ends the host with exit code 3, after the nodeset's own stop.
    fn start(set: &S, cx: &Context) -> impl Future<Output = Result<(), Error>> + Send {
        let _ = (set, cx);
        std::future::ready(Ok(()))
    }
}

/// A node that changes its nodeset; it runs alone, after all calls before it and before all after it.
pub trait NodeMut<S>: Arguments {
    /// What it returns.
    type Output: Outputs;
    /// How it fails.
    type Error: NodeError;

    /// Runs one call; `self` holds its arguments.
    fn run(self, set: &mut S, cx: &Context) -> impl Running<Output = Result<Self::Output, Self::Error>> + Send;

    /// Prepares the node, such as by loading what only it needs: once, in listed order, when the nodeset has started and
    /// before any call. A failure ends the host with exit code 3, after the nodeset's own stop.
    fn start(set: &mut S, cx: &Context) -> impl Future<Output = Result<(), Error>> + Send {
        let _ = (set, cx);
        std::future::ready(Ok(()))
    }
}

/// A node that takes many calls at once, as a model takes a batch; single calls of equal config are gathered for it.
///
/// A batch closes at `max` members or `wait_ms` after its first one, whichever comes first
/// (`#[node(batched(max = 32, wait_ms = 10))]` are the defaults), and one batch of a node runs at a time, or so
/// many as `concurrency` says. Callers notice nothing: each gets the answer to its own call.
///
/// ```
/// use nodecast::prelude::*;
///
/// /// Measures texts.
/// #[nodeset(nodes(Length))]
/// #[derive(Default)]
/// struct Texts;
///
/// /// Counts the characters of a text.
/// #[node(read_only)]
/// struct Length {
///     /// The text.
///     text: String,
/// }
///
/// impl BatchNode<Texts> for Length {
///     type Output = u64;
///     type Error = Error;
///
///     async fn run(batch: Vec<Self>, _: &Texts, _: &Context) -> Vec<Result<u64, Error>> {
///         batch.into_iter().map(|one| Ok(one.text.chars().count() as u64)).collect()
///     }
/// }
/// ```
pub trait BatchNode<S>: Arguments {
    /// What it returns for each call.
    type Output: Outputs;
    /// How it fails.
    type Error: NodeError;

    /// Runs the calls of one batch; the answers are in the order of `batch`, and as many.
    ///
    /// The context is the batch's own: cancelled when nobody waits for any of its answers, with the deadline of the
    /// member that waits longest; progress and log events reach all members.
    fn run(
        batch: Vec<Self>,
        set: &S,
        cx: &Context,
    ) -> impl Running<Output = Vec<Result<Self::Output, Self::Error>>> + Send;

    /// Prepares the node, such as by loading what only it needs: once, in listed order, when the nodeset has started and
    /// before any call. A failure ends the host with exit code 3, after the nodeset's own stop.
    fn start(set: &S, cx: &Context) -> impl Future<Output = Result<(), Error>> + Send {
        let _ = (set, cx);
        std::future::ready(Ok(()))
    }
}

/// A node that computes for long without awaiting; it runs off the async workers.
///
/// Nobody can end a thread from outside, so a node that takes seconds looks at [`Context::is_cancelled`] now and then.
pub trait BlockingNode<S>: Arguments {
    /// What it returns.
    type Output: Outputs;
    /// How it fails.
    type Error: NodeError;

    /// Runs one call; `self` holds its arguments.
    fn run(self, set: &S, cx: &Context) -> Result<Self::Output, Self::Error>;

    /// Prepares the node, off the async workers: once, in listed order, when the nodeset has started and before any call. A
    /// failure ends the host with exit code 3, after the nodeset's own stop.
    fn start(set: &S, cx: &Context) -> Result<(), Error> {
        let _ = (set, cx);
        Ok(())
    }
}
