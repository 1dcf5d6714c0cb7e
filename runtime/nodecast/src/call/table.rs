//! The const table of a nodeset: one row a node, with the erased call, and the checks that need several rows.

use std::future::Future;
use std::pin::Pin;

#[cfg(feature = "testing")]
use super::Invalid;
use super::work::{decoded, entered};
use super::{
    Args, Arguments, BatchNode, BlockingNode, ContainerRow, Context, Hooks, Node, NodeError, NodeMut, Outputs,
    PanelRow, PromptRow, Reply, ResourceRow,
};
use crate::Error;
use crate::decl::{
    Batching, ErrorKindDecl, Exclusivity, FieldDecl, NodeDecl, NodesetDecl, OutputShape, Parallelism, Text,
    fingerprint, nearly_equal, same_header, same_text,
};

/// A boxed future that may be sent to another thread.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A nodeset: its table and how an instance starts and stops. Implemented by `#[nodeset]` alone.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no nodeset",
    label = "not declared as a nodeset",
    note = "add `#[nodecast::nodeset(nodes(…))]` to the struct"
)]
pub trait Nodeset: Sized + Send + Sync + 'static {
    /// The whole declaration.
    const TABLE: &'static Table<Self>;

    /// How an instance starts and stops: through `Lifecycle` where implemented, else through `Default`.
    fn hooks() -> Hooks<Self>;
}

/// The declaration of a nodeset, and what it has, each in listed order.
#[derive(Debug)]
pub struct Table<S: 'static> {
    /// What `#[nodeset]` says.
    pub decl: NodesetDecl,
    /// One row a node.
    pub rows: &'static [Row<S>],
    /// One row a resource.
    pub resources: &'static [ResourceRow<S>],
    /// One row a prompt.
    pub prompts: &'static [PromptRow<S>],
    /// One row a container.
    pub containers: &'static [ContainerRow],
    /// What people see and set beside a graph.
    pub panel: Option<PanelRow<S>>,
}

impl<S> Table<S> {
    /// A nodeset of these nodes.
    pub const fn new(decl: NodesetDecl, rows: &'static [Row<S>]) -> Self {
        Self { decl, rows, resources: &[], prompts: &[], containers: &[], panel: None }
    }

    /// Sets the resources.
    #[must_use]
    pub const fn resources(mut self, resources: &'static [ResourceRow<S>]) -> Self {
        self.resources = resources;
        self
    }

    /// Sets the prompts.
    #[must_use]
    pub const fn prompts(mut self, prompts: &'static [PromptRow<S>]) -> Self {
        self.prompts = prompts;
        self
    }

    /// Sets the panel.
    #[must_use]
    pub const fn panel(mut self, panel: PanelRow<S>) -> Self {
        self.panel = Some(panel);
        self
    }

    /// Sets the containers.
    #[must_use]
    pub const fn containers(mut self, containers: &'static [ContainerRow]) -> Self {
        self.containers = containers;
        self
    }
}

/// One node of a table.
#[derive(Debug)]
pub struct Row<S: 'static> {
    /// What `#[node]` says.
    pub decl: NodeDecl,
    /// Of its name; see [`fingerprint`].
    pub fingerprint: u64,
    /// What the result is made of.
    pub shape: OutputShape,
    /// The output ports.
    pub outputs: &'static [FieldDecl],
    /// The declared kinds of error.
    pub errors: &'static [ErrorKindDecl],
    /// How it is called.
    pub call: Call<S>,
    /// How it prepares.
    pub prepare: Prepare<S>,
    /// Decodes the arguments and runs nothing.
    #[cfg(feature = "testing")]
    pub decode: fn(&mut Args) -> Result<(), Invalid>,
}

/// The erased call of a node, by access.
#[derive(Debug)]
pub enum Call<S: 'static> {
    /// Under a read lock.
    Shared(for<'a> fn(&'a S, Args, &'a Context) -> BoxFuture<'a, Result<Reply, Error>>),
    /// Under the write lock.
    Exclusive(for<'a> fn(&'a mut S, Args, &'a Context) -> BoxFuture<'a, Result<Reply, Error>>),
    /// Under a read lock, off the async workers.
    Blocking(fn(&S, Args, &Context) -> Result<Reply, Error>),
    /// Under a read lock, many calls at once.
    Batch(RunBatch<S>),
}

/// How a node prepares before the first call, by access.
#[derive(Debug)]
pub enum Prepare<S: 'static> {
    /// Under a read lock.
    Shared(for<'a> fn(&'a S, &'a Context) -> BoxFuture<'a, Result<(), Error>>),
    /// Under the write lock.
    Exclusive(for<'a> fn(&'a mut S, &'a Context) -> BoxFuture<'a, Result<(), Error>>),
    /// Under a read lock, off the async workers.
    Blocking(fn(&S, &Context) -> Result<(), Error>),
}

/// Runs the calls of one batch: as many answers, in the same order.
pub type RunBatch<S> = for<'a> fn(&'a S, Vec<Args>, &'a Context) -> BoxFuture<'a, Vec<Result<Reply, Error>>>;

impl<S> Row<S> {
    /// How single calls are gathered: as declared, or by default; none where the node takes one call at a time.
    pub const fn batched(&self) -> Option<Batching> {
        match (&self.call, self.decl.batched) {
            (Call::Batch(_), None) => Some(Batching::DEFAULT),
            (_, declared) => declared,
        }
    }
}

/// Markers of the access, so that one name serves three traits; inferred, never written.
pub mod kind {
    /// [`Node`](super::Node).
    #[derive(Debug)]
    pub enum Shared {}
    /// [`NodeMut`](super::NodeMut).
    #[derive(Debug)]
    pub enum Exclusive {}
    /// [`BlockingNode`](super::BlockingNode).
    #[derive(Debug)]
    pub enum Blocking {}
    /// [`BatchNode`](super::BatchNode).
    #[derive(Debug)]
    pub enum Batch {}
}

/// A node of the nodeset `S`, whatever its access.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is listed in the nodeset `{S}` but is no node of it",
    label = "no node of `{S}`",
    note = "write `impl Node<{S}> for {Self}` (or `NodeMut`, `BlockingNode`, `BatchNode`), or take `{Self}` out of `nodes(…)`"
)]
pub trait Callable<S: 'static, K>: Arguments {
    /// What the result is made of.
    const SHAPE: OutputShape;
    /// The output ports.
    const OUTPUTS: &'static [FieldDecl];
    /// The declared kinds of error.
    const ERRORS: &'static [ErrorKindDecl];
    /// How it is called.
    const CALL: Call<S>;
    /// How it prepares.
    const PREPARE: Prepare<S>;
}

#[diagnostic::do_not_recommend]
impl<S: Sync + 'static, N: Node<S>> Callable<S, kind::Shared> for N {
    const SHAPE: OutputShape = N::Output::SHAPE;
    const OUTPUTS: &'static [FieldDecl] = N::Output::PORTS;
    const ERRORS: &'static [ErrorKindDecl] = N::Error::KINDS;
    const CALL: Call<S> = Call::Shared(run_shared::<S, N>);
    const PREPARE: Prepare<S> = Prepare::Shared(prepare_shared::<S, N>);
}

#[diagnostic::do_not_recommend]
impl<S: Send + 'static, N: NodeMut<S>> Callable<S, kind::Exclusive> for N {
    const SHAPE: OutputShape = N::Output::SHAPE;
    const OUTPUTS: &'static [FieldDecl] = N::Output::PORTS;
    const ERRORS: &'static [ErrorKindDecl] = N::Error::KINDS;
    const CALL: Call<S> = Call::Exclusive(run_exclusive::<S, N>);
    const PREPARE: Prepare<S> = Prepare::Exclusive(prepare_exclusive::<S, N>);
}

#[diagnostic::do_not_recommend]
impl<S: 'static, N: BlockingNode<S>> Callable<S, kind::Blocking> for N {
    const SHAPE: OutputShape = N::Output::SHAPE;
    const OUTPUTS: &'static [FieldDecl] = N::Output::PORTS;
    const ERRORS: &'static [ErrorKindDecl] = N::Error::KINDS;
    const CALL: Call<S> = Call::Blocking(run_blocking::<S, N>);
    const PREPARE: Prepare<S> = Prepare::Blocking(N::start);
}

#[diagnostic::do_not_recommend]
impl<S: Sync + 'static, N: BatchNode<S>> Callable<S, kind::Batch> for N {
    const SHAPE: OutputShape = N::Output::SHAPE;
    const OUTPUTS: &'static [FieldDecl] = N::Output::PORTS;
    const ERRORS: &'static [ErrorKindDecl] = N::Error::KINDS;
    const CALL: Call<S> = Call::Batch(run_batch::<S, N>);
    const PREPARE: Prepare<S> = Prepare::Shared(prepare_batch::<S, N>);
}

fn prepare_shared<'a, S, N: Node<S>>(set: &'a S, cx: &'a Context) -> BoxFuture<'a, Result<(), Error>> {
    Box::pin(N::start(set, cx))
}

fn prepare_exclusive<'a, S, N: NodeMut<S>>(set: &'a mut S, cx: &'a Context) -> BoxFuture<'a, Result<(), Error>> {
    Box::pin(N::start(set, cx))
}

fn prepare_batch<'a, S, N: BatchNode<S>>(set: &'a S, cx: &'a Context) -> BoxFuture<'a, Result<(), Error>> {
    Box::pin(N::start(set, cx))
}

fn run_shared<'a, S: Sync, N: Node<S>>(set: &'a S, args: Args, cx: &'a Context) -> BoxFuture<'a, Result<Reply, Error>> {
    Box::pin(async move { reply(decoded::<N>(args).await?.run(set, cx).await) })
}

fn run_exclusive<'a, S: Send, N: NodeMut<S>>(
    set: &'a mut S,
    args: Args,
    cx: &'a Context,
) -> BoxFuture<'a, Result<Reply, Error>> {
    Box::pin(async move { reply(decoded::<N>(args).await?.run(set, cx).await) })
}

fn run_blocking<S, N: BlockingNode<S>>(set: &S, mut args: Args, cx: &Context) -> Result<Reply, Error> {
    reply(entered::<N>(&mut args)?.run(set, cx))
}

fn run_batch<'a, S: Sync, N: BatchNode<S>>(
    set: &'a S,
    batch: Vec<Args>,
    cx: &'a Context,
) -> BoxFuture<'a, Vec<Result<Reply, Error>>> {
    Box::pin(async move {
        let mut nodes = Vec::with_capacity(batch.len());
        // A member whose arguments do not decode answers for itself alone.
        let mut places = Vec::with_capacity(batch.len());
        for args in batch {
            places.push(decoded::<N>(args).await.map(|node| nodes.push(node)));
        }
        let count = nodes.len();
        let results = if count == 0 { Vec::new() } else { N::run(nodes, set, cx).await };
        super::batch::answers(places, count, results.into_iter().map(reply))
    })
}

fn reply<O: Outputs, E: NodeError>(result: Result<O, E>) -> Result<Reply, Error> {
    let outputs = result.map_err(NodeError::into_error)?;
    let mut reply = Reply::new(O::PORTS);
    outputs.encode(&mut reply)?;
    Ok(reply)
}

#[cfg(feature = "testing")]
fn decode_only<N: Arguments>(args: &mut Args) -> Result<(), Invalid> {
    N::decode(args).map(drop)
}

/// The row of the node `N` in the table of `S`.
pub const fn row<S: 'static, K, N: Callable<S, K>>() -> Row<S> {
    Row {
        decl: N::DECL,
        fingerprint: fingerprint(N::DECL.name),
        shape: N::SHAPE,
        outputs: N::OUTPUTS,
        errors: N::ERRORS,
        call: N::CALL,
        prepare: N::PREPARE,
        #[cfg(feature = "testing")]
        decode: decode_only::<N>,
    }
}

/// Full tool names may be this long, since clients cut or refuse longer ones (`DESIGN.md` 4).
pub const MAX_TOOL_NAME: usize = 64;

/// Checks the row at `index` against the rows before it and the nodeset.
///
/// # Panics
///
/// For every mistake; evaluated in a `const`, that is a compile error at the caller.
#[track_caller]
#[allow(clippy::panic, clippy::indexing_slicing, reason = "iterators are not const yet, and a panic is the message")]
pub const fn check_node<S>(table: &Table<S>, index: usize) {
    let (node, own) = (&table.rows[index].decl, table.rows[index].fingerprint);
    let mut before = 0;
    while before < index {
        if table.rows[before].fingerprint != own {
            before += 1;
            continue;
        }
        let other = table.rows[before].decl.name;
        if same_text(other, node.name) {
            let (first, second) = (table.rows[before].decl.source, node.source);
            let text = Text::new().add("two nodes are named `").add(node.name).add("`; rename one with ");
            let text = text.add("`#[node(name = \"…\")]`, at ").place(first).add(" or ").place(second);
            panic!("{}", text.as_str());
        }
        if nearly_equal(other, node.name) {
            let text = Text::new().add("`").add(other).add("` and `").add(node.name);
            panic!("{}", text.add("` are one name to clients that rewrite `-` and `.` to `_`; rename one").as_str());
        }
        before += 1;
    }
    let prefix = table.decl.name_prefix();
    let length = if prefix.is_empty() { node.name.len() } else { prefix.len() + 2 + node.name.len() };
    if length > MAX_TOOL_NAME {
        let text = Text::new().add("the tool name `").add(prefix).add("__").add(node.name);
        panic!("{}", text.add("` is longer than 64 characters; shorten one of its parts").as_str());
    }
    if node.batched.is_some() && !matches!(table.rows[index].call, Call::Batch(_)) {
        let text = Text::new().add("`").add(node.name).add("` is `batched`, but takes one call at a time; implement ");
        panic!("{}", text.add("`BatchNode`, or take `batched` out of `#[node]`").as_str());
    }
    if matches!(table.rows[index].call, Call::Exclusive(_)) && matches!(table.decl.parallelism, Parallelism::Shared) {
        let text = Text::new().add("`").add(node.name).add("` changes its nodeset, but `").add(table.decl.name);
        let text = text.add("` is shared; add `parallelism = \"replicated\"` to `#[nodeset]`, or implement `Node`");
        panic!("{}", text.as_str());
    }
    if !matches!(table.decl.exclusivity(), Exclusivity::Open) {
        check_lease(node);
    }
}

/// An exclusive nodeset has tools and an argument of the runtime's own (`mcp.md` 4).
#[track_caller]
// As in `check_node`.
#[allow(clippy::panic, clippy::indexing_slicing)]
const fn check_lease(node: &NodeDecl) {
    if nearly_equal(node.name, "acquire") || nearly_equal(node.name, "release") {
        let text = Text::new().add("an exclusive nodeset has a tool `").add(node.name);
        panic!("{}", text.add("` of its own, for its lease; rename the node").as_str());
    }
    let mut at = 0;
    while at < node.fields.len() {
        if same_text(node.fields[at].name, "lease") {
            let text = Text::new().add("`").add(node.name).add("` has a field `lease`, and every tool of an exclusive");
            panic!("{}", text.add(" nodeset takes the lease under this name; rename the field").as_str());
        }
        if let Some(header) = node.fields[at].header
            && same_header(header, "Lease")
        {
            let text =
                Text::new().add("`").add(node.name).add("` has a field with the header `Lease`, which carries the");
            panic!("{}", text.add(" lease of an exclusive nodeset; rename the header").as_str());
        }
        at += 1;
    }
}

/// Checks the container at `index` against those before it.
///
/// # Panics
///
/// For two of one id; evaluated in a `const`, that is a compile error at the caller.
#[track_caller]
// As in `check_node`.
#[allow(clippy::panic, clippy::indexing_slicing)]
pub const fn check_container<S>(table: &Table<S>, index: usize) {
    let own = &table.containers[index].decl;
    let mut before = 0;
    while before < index {
        let other = &table.containers[before].decl;
        if same_text(other.id, own.id) {
            let text = Text::new().add("two containers have the id `").add(own.id).add("`; rename one with ");
            let text = text.add("`#[container(id = \"…\")]`, at ").place(other.source).add(" or ").place(own.source);
            panic!("{}", text.as_str());
        }
        before += 1;
    }
}
