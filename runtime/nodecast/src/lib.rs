//! One declaration, every face.
//!
//! A struct with [`#[node]`](macro@node) is one callable: its fields are the arguments, its doc comments the
//! descriptions. A struct with [`#[nodeset]`](macro@nodeset) lists its nodes. Out of that table come, generated and
//! never written by hand: a manifest, JSON Schemas, calls in JSON and msgpack, an MCP server in both protocol eras,
//! and a contract document that is reviewed in the pull request.
//!
//! ```
//! use nodecast::prelude::*;
//!
//! /// Counts.
//! #[nodeset(nodes(Words))]
//! #[derive(Default)]
//! pub struct Text;
//!
//! /// Counts the words of a text.
//! #[node(read_only, idempotent)]
//! pub struct Words {
//!     /// Text to count in.
//!     text: String,
//!     /// Words shorter than this do not count.
//!     #[config(slider(min = 1, max = 20, step = 1), default = 1)]
//!     shortest: usize,
//! }
//!
//! impl Node<Text> for Words {
//!     type Output = u64;
//!     type Error = Error;
//!
//!     async fn run(self, _: &Text, _: &Context) -> Result<u64, Error> {
//!         Ok(self.text.split_whitespace().filter(|word| word.chars().count() >= self.shortest).count() as u64)
//!     }
//! }
//!
//! let catalog = nodecast::catalog::Catalog::of::<Text>()?;
//! assert_eq!(catalog.entries[0].full_name, "text__words");
//! # Ok::<(), Error>(())
//! ```
//!
//! # How a node reaches its nodeset
//!
//! The trait that a node implements says it, nothing else does:
//!
//! | trait | gets | runs |
//! |---|---|---|
//! | [`Node`] | `&S` | beside all others but a `NodeMut` |
//! | [`NodeMut`] | `&mut S` | alone; the nodeset says `parallelism = "replicated"` |
//! | [`BlockingNode`] | `&S`, a plain `fn` | likewise, off the async workers |
//! | [`BatchNode`] | `&S` and the arguments of many calls | likewise, one batch at a time, or as many as `concurrency` says |
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | (default) | declaring, checking, being called in process; no HTTP, no MCP |
//! | `serve` | the servers, `nodecast::Host` and the command line of a host |
//! | `otel` | `serve`, and spans sent to an OpenTelemetry collector |
//! | `testing` | [`testing`]: an in-process client for tests of nodes, agreement, snapshots |
//! | `review` | `contract::diff`: what changed between two contract documents, and what that means |
//! | `image` | conversions between [`Image`] and the pictures of the `image` crate |
//! | `ndarray` | `Array`: arrays of the `ndarray` crate, whose type says element type and number of dimensions |
//!
//! A host turns `serve` on; a library of nodes does not need it, since `codegen-cli serve -p my-nodes` makes a host.

#![forbid(unsafe_code)]

pub mod ask;
pub mod call;
pub mod catalog;
pub mod contract;
pub mod decl;
pub mod manifest;
pub mod panel;
pub mod schema;
#[cfg(feature = "serve")]
pub mod serve;
pub mod session;
#[cfg(feature = "testing")]
pub mod testing;
pub mod wire;

pub use call::{
    Accumulator, Aggregator, BatchNode, BlockingNode, Complete, Container, Content, Contents, Context, Counter, Error,
    Fire, FireList, LastWrite, Lifecycle, Messages, Node, NodeError, NodeMut, Nodeset, One, Outputs, Partial, Prompt,
    Resource, Secret,
};
/// Declares what a nodeset remembers between calls: one field a state, whose type says what a write does to it.
///
/// | on | arguments |
/// |---|---|
/// | `#[container(…)]` on the struct | `id = "…"` (else the struct in `snake_case`), `label = "…"` (else the doc comment), `crate = "path"` |
/// | `#[state(…)]` on a field | `name = "…"`, `lifetime = "…"`: `"forever"`, `"step"`, `"episode"`, `"run"` or `"custom"`; `reset_on("…", …)`: further signals that reset it; `initial = …` (of an accumulator `initial(…, …)`): what it begins with; `max_size = 100` of an accumulator; `value_type = "…"`: what an editor calls its values |
///
/// The type of a field is [`Accumulator`], [`LastWrite`] or [`Counter`]. The nodeset lists the struct in `containers(…)`.
/// See [`Container`] for an example.
pub use nodecast_macros::Container;
/// Declares the kinds of error of a node: on an enum one kind a variant, on a struct one kind.
///
/// The kinds enter the contract; the error's `Display` is the sentence that the caller reads, its sources stay in the
/// log. `#[node_error(…)]` on a variant takes `name = "…"` (else the variant in `snake_case`) and `retryable`; on the
/// type it takes `crate = "path"`.
///
/// ```
/// #[derive(Debug, thiserror::Error, nodecast::NodeError)]
/// enum SceneError {
///     /// The scene was never loaded, or has been dropped.
///     #[error("scene {0} is not loaded")]
///     #[node_error(retryable)]
///     NotLoaded(u32),
/// }
/// ```
pub use nodecast_macros::NodeError;
/// Declares the output ports of a node: one field a port, in order, each a serde type with a schema.
///
/// | on | arguments |
/// |---|---|
/// | `#[port(…)]` on a field | as in [`node`](macro@node): `name`, `title`, `wire`, `as_string`, `nan`; `full_size`: pictures are not scaled down for clients of MCP |
/// | `#[display(…)]` on a field | `image_viewer`, `log_list` or `metric_table`; `label = "…"`, `max_visible = 10`, `accumulate` |
/// | `#[outputs(…)]` on the struct | `crate = "path"` |
///
/// `#[deprecated]` and `#[cfg(…)]` on a field are read.
///
/// ```
/// #[derive(nodecast::Outputs)]
/// struct Segments {
///     /// One area an object, in pixels.
///     areas: Vec<u32>,
///     /// The largest of them, where there is one.
///     largest: Option<u32>,
/// }
/// ```
pub use nodecast_macros::Outputs;
/// Makes a struct the arguments of one call: a field is an input port, or with `#[config(…)]` a config field.
///
/// A doc comment is the description, `Option<T>` is an optional port, a unit struct is a node without arguments. What
/// the node does stands in `impl Node<…>`, [`NodeMut`], [`BlockingNode`] or [`BatchNode`] for the struct.
///
/// | on | arguments |
/// |---|---|
/// | `#[node(…)]` | `name = "…"` (else the struct in `snake_case`), `title = "…"`, `read_only`, `destructive`, `idempotent`, `open_world` (each also `= false`), `unstable`, `batched(max = 32, wait_ms = 10, concurrency = 1)` for a [`BatchNode`], `task = "optional"` or `"required"`, `waits`, `fallback`, `icons(…)`, `meta(…)`, `raw_schema = "file.json"`, `crate = "path"` |
/// | `#[port(…)]` | `name = "…"`, `title = "…"`, `wire = "…"`: a wire type in place of the one that the schema implies; `as_string`: integers are text in JSON; `nan = "null"`: NaN is null in JSON; `header = "…"`: the header that mirrors it |
/// | `#[config(…)]` | a widget, `default = …` (or the type is an `Option`), `label`, `placeholder`, `section = "model"`, `"prompt"` or `"wiring"`, `persist`, `on_card = false`, `unset_label = "…"`, `name`, `title`, `as_string`, `header` |
///
/// `#[deprecated]` on the struct or a field is published; what `#[cfg(…)]` leaves out is in no table.
///
/// Widgets: `select` on an enum, `select("a", "b" = "Label")`, `slider(min = …, max = …, step = …)`, `toggle`,
/// `number`, `number(min = …, max = …)`, `text`, `textarea`, `label` on a `()`, which is text for people and no argument;
/// without one, the default's kind decides.
///
/// ```
/// use nodecast::prelude::*;
///
/// /// Repeats a text.
/// #[node(read_only)]
/// struct Repeat {
///     /// What to repeat.
///     text: String,
///     /// How often.
///     #[config(slider(min = 1, max = 9), default = 2)]
///     times: usize,
/// }
/// ```
pub use nodecast_macros::node;
/// Makes a struct a nodeset: what its nodes share, and the list of them.
///
/// It starts through `Default`, or through [`Lifecycle`] where that is implemented.
///
/// | argument | is |
/// |---|---|
/// | `nodes(A, path::B)` | the nodes, in the order of every list that a client sees; `#[cfg(…)]` may leave one out |
/// | `containers(A)` | the structs with [`#[derive(Container)]`](macro@Container): what it remembers between calls |
/// | `panel` | it implements [`panel::Panel`] or [`panel::PanelMut`]: what people see and set beside a graph |
/// | `panel_tools = true` | the panel is also three tools of MCP, which models call: `panel_state`, `panel_set`, `panel_action` |
/// | `resources(A)`, `prompts(B)` | the same for [`#[resource]`](macro@resource) and [`#[prompt]`](macro@prompt) |
/// | `name = "…"` | else the struct in `snake_case`; full names of nodes are `{name}__{node}` |
/// | `prefix = "…"` | stands in place of the name before `__`; `""` leaves the node's name alone |
/// | `title = "…"`, `instructions = "…"` | for people, and for the model that uses it |
/// | `parallelism = "shared"` or `"replicated"` | whether calls share nothing, or the nodeset holds state that one client drives |
/// | `exclusive`, `exclusive = false` | one client at a time may use it, or any number; unsaid, a replicated nodeset is exclusive and a shared one is not; `"all"` gates `/call` too |
/// | `modern = "reject"` | an exclusive nodeset serves the older protocol era alone |
/// | `sessions = "kept"` or `"required"` | a nodeset that is not exclusive hands out sessions of the older era, or needs them |
/// | `as_string` | JSON carries all its integers as text |
/// | `page_size = 100` | how many entries a page of a list has |
/// | `ttl_ms = 300000`, `cache_scope = "public"` or `"private"` | how long lists and what is read may be kept, and by whom |
/// | `icons("https://…")`, `meta("com.example/key" = "…")` | pictures beside its name, and members of `_meta` |
/// | `show_errors` | callers read the text of errors that no node declares |
/// | `coerce = true` | an argument that is never text takes text for what it spells, such as `"5"` |
/// | `linked = false` | a program makes it and mounts it with `Host::made`; hosts that are generated do not serve it |
/// | `crate = "path"` | this crate under another name |
///
/// ```
/// use nodecast::prelude::*;
///
/// /// Says hello.
/// #[nodeset(nodes(Hello))]
/// #[derive(Default)]
/// struct Greeter;
///
/// /// Greets somebody.
/// #[node(read_only)]
/// struct Hello {
///     /// Whom to greet.
///     who: String,
/// }
///
/// impl Node<Greeter> for Hello {
///     type Output = String;
///     type Error = Error;
///
///     async fn run(self, _: &Greeter, _: &Context) -> Result<String, Error> {
///         Ok(format!("hello, {}", self.who))
///     }
/// }
/// ```
pub use nodecast_macros::nodeset;
/// Makes a struct the arguments of a prompt: messages that a person picks to begin with.
///
/// A field is an argument, text on the wire whatever its type; `Option<T>` may be left out. What it says stands in
/// `impl Prompt<…>` for the struct; the nodeset lists it in `prompts(…)`.
///
/// | on | arguments |
/// |---|---|
/// | `#[prompt(…)]` | `name = "…"` (else the struct in `snake_case`), `title = "…"`, `icons(…)`, `meta(…)`, `crate = "path"` |
/// | `#[argument(…)]` | `name = "…"`, `title = "…"` |
/// | `#[complete]`, `#[complete(Path)]` | completed as it is typed: with the values of the field's own type, or by a type that implements [`Complete`] |
///
/// See [`Prompt`] for an example.
pub use nodecast_macros::prompt;
/// Makes a struct a document that clients read by its URI, or with fields a template of such URIs.
///
/// A field is the variable of its name in the URI, which is a template of level 1 (RFC 6570): `book://recipes/{dish}`.
/// What is read stands in `impl Resource<…>` for the struct; the nodeset lists it in `resources(…)`.
///
/// | on | arguments |
/// |---|---|
/// | `#[resource(…)]` | `uri = "…"`, `name = "…"` (else the struct in `snake_case`), `title = "…"`, `mime = "…"`, `ttl_ms = 0`, `cache_scope = "private"`, `icons(…)`, `meta(…)`, `crate = "path"` |
/// | `#[argument(…)]`, `#[complete(…)]` | as for a [`prompt`](macro@prompt) |
///
/// See [`Resource`] for an example.
pub use nodecast_macros::resource;
#[cfg(feature = "serve")]
pub use serve::{Host, serve, serve_linked};
#[cfg(feature = "ndarray")]
pub use wire::Array;
pub use wire::{Bytes, Control, Depth, DiscreteAction, Image, Metrics, Pose, Tensor, Value};

/// What a file that declares nodes needs.
pub mod prelude {
    #[cfg(feature = "ndarray")]
    pub use crate::Array;
    pub use crate::{
        Accumulator, Aggregator, BatchNode, BlockingNode, Bytes, Complete, Container, Content, Contents, Context,
        Control, Counter, Depth, DiscreteAction, Error, Fire, FireList, Image, LastWrite, Lifecycle, Messages, Metrics,
        Node, NodeError, NodeMut, One, Outputs, Partial, Pose, Prompt, Resource, Secret, Tensor, Value, node, nodeset,
        prompt, resource,
    };
}

/// What generated code stands on; no part of the public interface.
#[doc(hidden)]
pub mod __private {
    pub use core::marker::{Send, Sync};
    pub use core::option::Option::{self, None, Some};
    pub use core::result::Result::{self, Err, Ok};
    pub use core::{concat, env, file, include_str, line};

    pub use linkme;

    pub use crate::Error;
    pub use crate::call::{
        ActOnPanel, Args, Arguments, Complete, Completer, Completes, Container, ContainerRow, Hooks, Invalid,
        NodeError, Nodeset, Outputs, Probe, PromptArguments, ReadPanel, Reply, SetPanel, StateRow, States, Table,
        Variables, ViaDefault, ViaLifecycle, ViaNothing, check_container, check_node, check_panel, check_panel_tools,
        check_prompt, check_resource, completer, container_row, declared_error, input_type, output_type, panel_row,
        prompt_row, resource_row, row, state,
    };
    pub use crate::catalog::{Linked, NODESETS};
    pub use crate::decl::{
        Batching, CacheScope, Choice, ConfigDecl, ContainerDecl, Deprecation, DisplayDecl, DisplayWidget,
        ErrorKindDecl, Exclusivity, FieldDecl, Hints, IconDecl, IconTheme, Lifetime, Literal, NodeDecl, NodesetDecl,
        PromptDecl, ResourceDecl, Section, Sessions, Source, StateDecl, TaskMode, Widget, check_entries,
        check_field_name, check_initial, check_max_size, check_raw_schema, count,
    };
}

/// The examples of the book compile.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/declaring-nodes.md")]
pub struct DeclaringNodes;

/// The same of what a node asks its client.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/asking-the-client.md")]
pub struct AskingTheClient;

/// The same of what a nodeset remembers.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/containers.md")]
pub struct Containers;

/// The same of documents and prompts.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/resources-and-prompts.md")]
pub struct ResourcesAndPrompts;

/// The same of what graph frameworks see.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/hosting-under-a-graph-framework.md")]
pub struct HostingUnderAGraphFramework;

/// The same of nodes that gather calls, or fire others.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/batches-and-fire-lists.md")]
pub struct BatchesAndFireLists;

/// The same of a nodeset that moves here.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/moving-a-python-nodeset.md")]
pub struct MovingAPythonNodeset;
