//! What the attributes say, as plain structs: parsing makes them, checking reads them, expanding prints them.
//!
//! A test builds one without any source text.

mod container;
mod field;
mod live;
mod offer;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, TokenStreamExt};
use syn::{Attribute, LitStr, Path};

pub use container::{Container, Initial, InitialValue, Lifetime, LifetimeRule, MaxSize, State};
pub use field::{
    Choice, Complete, Config, Display, DisplayWidget, Field, Literal, Number, Place, Port, Role, Section, Value, Widget,
};
pub use live::{Handle, Message, Messages, Variant, View};
pub use offer::{CacheScope, Icon, IconTheme, MetaEntry, Prompt, Resource};

/// A struct with `#[node]`: the arguments of one call.
#[derive(Debug)]
pub struct Node {
    /// The user's name for our crate.
    pub krate: Path,
    /// The struct.
    pub ident: Ident,
    /// As declared or derived.
    pub name: Name,
    /// Title for people.
    pub title: Option<LitStr>,
    /// Doc comment.
    pub doc: Doc,
    /// Declared hints.
    pub hints: Hints,
    /// Whether changes of it break nobody's contract yet.
    pub unstable: bool,
    /// Why it should not be used any more.
    pub deprecated: Option<Deprecation>,
    /// The file of a hand-written schema.
    pub raw_schema: Option<LitStr>,
    /// How single calls are gathered.
    pub batched: Option<Batching>,
    /// Whether a call may or must run as a task.
    pub task: Option<TaskMode>,
    /// Whether it only waits for what other calls do.
    pub waits: bool,
    /// Whether it stands behind tools that are made for a task.
    pub fallback: bool,
    /// Pictures beside its name.
    pub icons: Vec<Icon>,
    /// Members of its `_meta`.
    pub meta: Vec<MetaEntry>,
    /// In declared order.
    pub fields: Vec<Field>,
}

/// A type with `#[nodeset]`.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a word of the declaration, said or not")]
pub struct Nodeset {
    /// The user's name for our crate.
    pub krate: Path,
    /// The type.
    pub ident: Ident,
    /// As declared or derived.
    pub name: Name,
    /// What stands in place of the name before `__`.
    pub prefix: Option<Name>,
    /// Title for people.
    pub title: Option<LitStr>,
    /// Doc comment.
    pub doc: Doc,
    /// Server instructions.
    pub instructions: Option<LitStr>,
    /// Shared or replicated.
    pub parallelism: Parallelism,
    /// Who needs the lease, where said.
    pub exclusive: Option<Exclusivity>,
    /// The word by which the newer protocol era is refused, where it is.
    pub modern_rejected: Option<Span>,
    /// Whether a client of the older era has a session, where said.
    pub sessions: Option<Sessions>,
    /// Whether JSON carries all integers as text.
    pub as_string: bool,
    /// Whether callers read the text of errors that no node declares.
    pub show_errors: bool,
    /// How many entries a page of a list has.
    pub page_size: Option<u32>,
    /// For how many milliseconds lists may be kept.
    pub ttl_ms: Option<u32>,
    /// By whom.
    pub cache_scope: Option<CacheScope>,
    /// Pictures beside its name.
    pub icons: Vec<Icon>,
    /// Members of its `_meta`.
    pub meta: Vec<MetaEntry>,
    /// Whether text is taken for the number, bool, list or object that it spells, where no text is taken.
    pub coerce: bool,
    /// Whether hosts that are generated serve it; else the program that makes it does.
    pub linked: bool,
    /// In listed order.
    pub nodes: Vec<Listed>,
    /// In listed order.
    pub resources: Vec<Listed>,
    /// In listed order.
    pub prompts: Vec<Listed>,
    /// In listed order.
    pub containers: Vec<Listed>,
    /// The word that says that it has a panel.
    pub panel: Option<Span>,
    /// The word that says that the panel is nodes too.
    pub panel_tools: Option<Span>,
}

/// A node, a resource, a prompt or a container in a list of a nodeset.
#[derive(Debug)]
pub struct Listed {
    /// Whether it is there.
    pub cfgs: Cfgs,
    /// The struct.
    pub path: Path,
}

/// A struct with `#[derive(Outputs)]`.
#[derive(Debug)]
pub struct Outputs {
    /// The user's name for our crate.
    pub krate: Path,
    /// The struct.
    pub ident: Ident,
    /// Whether uses of it are warned of.
    pub deprecated: Option<Deprecation>,
    /// In declared order; all are ports.
    pub fields: Vec<Field>,
}

/// A type with `#[derive(NodeError)]`.
#[derive(Debug)]
pub struct NodeError {
    /// The user's name for our crate.
    pub krate: Path,
    /// The type.
    pub ident: Ident,
    /// Whether it has variants.
    pub shape: ErrorShape,
    /// In declared order; a struct has one.
    pub kinds: Vec<Kind>,
}

/// What an error type is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorShape {
    /// One kind.
    Struct,
    /// One kind a variant.
    Enum,
}

/// One kind of error.
#[derive(Debug)]
pub struct Kind {
    /// The variant, or the struct.
    pub ident: Ident,
    /// The `type` on the wire.
    pub name: Name,
    /// Doc comment.
    pub doc: Doc,
    /// Whether the same call may succeed later.
    pub retryable: bool,
}

/// A name on the wire, and the token it comes from.
#[derive(Clone, Debug)]
pub struct Name {
    /// The text.
    pub text: String,
    /// The literal or the identifier.
    pub span: Span,
}

/// A doc comment.
#[derive(Clone, Debug, Default)]
pub struct Doc {
    /// Its lines; joined by a line feed.
    pub lines: Vec<DocLine>,
}

/// One `#[doc = …]`.
#[derive(Clone, Debug)]
pub enum DocLine {
    /// A literal.
    Text(String),
    /// A macro call such as `include_str!("…")`, which only the compiler can read.
    Expr(TokenStream),
}

/// The `#[cfg(…)]`s of something that may not be there; all that is emitted for it carries them.
#[derive(Clone, Debug, Default)]
pub struct Cfgs(pub Vec<Attribute>);

impl Cfgs {
    /// Whether it is always there.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether one may be there without the other, which only the compiler knows.
    pub fn may_differ(&self, other: &Self) -> bool {
        self.to_token_stream().to_string() != other.to_token_stream().to_string()
    }
}

impl ToTokens for Cfgs {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.append_all(&self.0);
    }
}

/// What `#[deprecated]` says; both are empty when it says nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Deprecation {
    /// Since which version.
    pub since: String,
    /// What to use instead.
    pub note: String,
}

/// When a batch closes, where said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Batching {
    /// Most members.
    pub max: Option<u32>,
    /// Longest wait after the first member, in milliseconds.
    pub wait_ms: Option<u32>,
    /// How many run at once.
    pub concurrency: Option<u32>,
}

/// Whether a call may or must run as a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskMode {
    /// It may.
    Optional,
    /// It must.
    Required,
}

/// Declared hints.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hints {
    /// Changes nothing.
    pub read_only: Option<Hint>,
    /// May destroy what was there.
    pub destructive: Option<Hint>,
    /// Calling twice has no further effect.
    pub idempotent: Option<Hint>,
    /// Reaches beyond the process.
    pub open_world: Option<Hint>,
}

/// One declared hint.
#[derive(Clone, Copy, Debug)]
pub struct Hint {
    /// What is said.
    pub said: bool,
    /// The word.
    pub span: Span,
}

/// Whether a nodeset is shared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Parallelism {
    /// One instance for all calls.
    #[default]
    Shared,
    /// State of its own per replica.
    Replicated,
}

/// Who needs the lease of a nodeset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exclusivity {
    /// Any number of clients at once.
    Open,
    /// One MCP client at a time.
    Mcp,
    /// One client at a time over every face.
    All,
}

/// Whether a client of the older protocol era has a session on a nodeset that is not exclusive.
#[derive(Clone, Copy, Debug)]
pub struct Sessions {
    /// What is said.
    pub said: SessionRule,
    /// The word.
    pub span: Span,
}

/// The rule of such sessions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionRule {
    /// There are none.
    None,
    /// One is handed out, and a call works without.
    Kept,
    /// A call needs one.
    Required,
}

/// The user's item as every exit emits it, and what a stub in its place needs to know.
#[derive(Debug)]
pub struct Target {
    /// The item without our helper attributes; empty for a derive.
    pub item: TokenStream,
    /// The user's name for our crate.
    pub krate: Path,
    /// The type and its generics; none when the item is no type at all.
    pub subject: Option<(Ident, syn::Generics)>,
}
