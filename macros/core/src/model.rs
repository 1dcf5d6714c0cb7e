//! What the attributes say, as plain structs: parsing makes them, checking reads them, expanding prints them.
//!
//! A test builds one without any source text.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, TokenStreamExt};
use syn::{Attribute, LitStr, Path, Type};

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
    /// In declared order.
    pub fields: Vec<Field>,
}

/// A type with `#[nodeset]`.
#[derive(Debug)]
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
    /// Whether JSON carries all integers as text.
    pub as_string: bool,
    /// Whether callers read the text of errors that no node declares.
    pub show_errors: bool,
    /// In listed order.
    pub nodes: Vec<Listed>,
}

/// A node in the list of a nodeset.
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

/// A port, a config field or an output.
#[derive(Debug)]
pub struct Field {
    /// Whether it is there.
    pub cfgs: Cfgs,
    /// The field of the struct.
    pub ident: Ident,
    /// As declared or derived.
    pub name: Name,
    /// Title for people.
    pub title: Option<LitStr>,
    /// Doc comment.
    pub doc: Doc,
    /// Why it should not be used any more.
    pub deprecated: Option<Deprecation>,
    /// Its type.
    pub ty: Type,
    /// The word that has JSON carry its integers as text.
    pub as_string: Option<Span>,
    /// The header that mirrors it.
    pub header: Option<LitStr>,
    /// How an editor shows it; only for an output.
    pub display: Option<Display>,
    /// How it is filled.
    pub role: Role,
}

/// How a field is filled.
#[derive(Debug)]
pub enum Role {
    /// A value along a wire.
    Port(Port),
    /// A parameter in an editor.
    Config(Config),
    /// What is wrong with it is reported already; its name still counts.
    Unclear,
}

/// A port.
#[derive(Debug, Default)]
pub struct Port {
    /// The wire type, where declared.
    pub wire: Option<LitStr>,
    /// The word that has JSON carry NaN and the infinities as null.
    pub nan: Option<Span>,
}

/// How an editor shows an output.
#[derive(Debug)]
pub struct Display {
    /// Which widget.
    pub widget: DisplayWidget,
    /// The word that says so.
    pub word: Span,
    /// Label.
    pub label: Option<LitStr>,
    /// How many entries are shown.
    pub max_visible: Option<u32>,
    /// Whether entries of earlier runs stay.
    pub accumulate: bool,
}

/// A display widget, as `decl::DisplayWidget`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DisplayWidget {
    /// A picture.
    ImageViewer,
    /// Lines of text.
    LogList,
    /// Names and numbers.
    MetricTable,
}

/// A config field.
#[derive(Debug)]
pub struct Config {
    /// Which widget.
    pub widget: Widget,
    /// The word that says so; none where the default implies it.
    pub word: Option<Span>,
    /// The value of a field that is left out.
    pub default: Option<Literal>,
    /// Label.
    pub label: Option<LitStr>,
    /// Greyed text.
    pub placeholder: Option<LitStr>,
    /// The group it stands in.
    pub section: Option<Section>,
    /// The word that offers to keep the value.
    pub persist: Option<Span>,
    /// Whether it stands on the node's card.
    pub on_card: bool,
    /// The text of "no value".
    pub unset_label: Option<LitStr>,
}

/// A widget, as `decl::Widget`.
#[derive(Debug)]
pub enum Widget {
    /// One of several texts; none means the variants of the field's enum.
    Select(Option<Vec<Choice>>),
    /// A number between bounds.
    Slider {
        /// Smallest value.
        min: Number,
        /// Largest value.
        max: Number,
        /// Distance of two positions.
        step: Option<Number>,
    },
    /// On or off.
    Toggle,
    /// A number, with bounds where said.
    Number {
        /// Smallest value.
        min: Option<Number>,
        /// Largest value.
        max: Option<Number>,
    },
    /// One line of text.
    Text,
    /// Several lines of text.
    Textarea,
    /// Text in the editor; the field carries no value.
    Label,
}

/// One option of a select.
#[derive(Debug)]
pub struct Choice {
    /// The value sent.
    pub value: LitStr,
    /// The text shown; the value where not said.
    pub label: Option<LitStr>,
}

/// A finite number of a widget.
#[derive(Clone, Copy, Debug)]
pub struct Number {
    /// The number.
    pub value: f64,
    /// The literal.
    pub place: Place,
}

/// A default.
#[derive(Clone, Debug)]
pub struct Literal {
    /// The value.
    pub value: Value,
    /// The literal.
    pub place: Place,
}

/// Where a literal stands, from its sign to its last digit; an error can span it.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Its first token.
    pub first: Span,
    /// Its last token.
    pub last: Span,
}

impl ToTokens for Place {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        // Only the spans count; the compiler draws its line from the first token to the last.
        for span in [self.first, self.last] {
            tokens.extend([TokenTree::Ident(Ident::new("_", span))]);
        }
    }
}

/// The value of a literal.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `true` or `false`.
    Bool(bool),
    /// An integer.
    Int(i128),
    /// A number with a point.
    Float(f64),
    /// A string.
    Text(String),
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
}

/// The section of a config field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// What the node computes with.
    Model,
    /// Texts for a model.
    Prompt,
    /// How it is connected.
    Wiring,
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
