//! The table that the macros emit: plain `const` structs, `&'static` all through.
//!
//! Nothing here acts; every projection is a reading of these structs made elsewhere. This module knows no
//! other module of the crate.

mod check;
mod hints;
mod widget;

use schemars::{Schema, SchemaGenerator};

pub use check::{Text, nearly_equal, same_text};
pub use hints::Hints;
pub use widget::{Choice, ConfigDecl, Literal, Section, Widget};

/// Builds the schema of one type; `SchemaGenerator` decides for which contract (deserialize or serialize).
pub type SchemaFn = fn(&mut SchemaGenerator) -> Schema;

/// Whether a nodeset is one shared instance or has state of its own per replica (`wire.md` 9).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Parallelism {
    /// Calls may overlap on one instance; nothing is remembered between them.
    #[default]
    Shared,
    /// The nodeset holds state that one client at a time drives; scaled by replicas.
    Replicated,
}

impl Parallelism {
    /// The word of the manifest.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Shared => "shared",
            Self::Replicated => "replicated",
        }
    }
}

/// Who needs the lease of a nodeset (`mcp.md` 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exclusivity {
    /// Any number of clients at once.
    Open,
    /// One MCP client at a time; `/call` is not gated.
    Mcp,
}

/// What `#[nodeset]` says about the whole.
#[derive(Clone, Copy, Debug)]
pub struct NodesetDecl {
    /// Name as served, `[a-zA-Z0-9_-]`.
    pub name: &'static str,
    /// What stands in place of `name` before `__`; empty leaves the node's name alone.
    pub prefix: Option<&'static str>,
    /// Title for people.
    pub title: Option<&'static str>,
    /// Doc comment.
    pub doc: &'static str,
    /// Server instructions for a model.
    pub instructions: Option<&'static str>,
    /// Version of the crate that declares it; outside the contract hash.
    pub version: &'static str,
    /// Shared or replicated.
    pub parallelism: Parallelism,
    /// As declared; `None` derives from `parallelism`.
    pub exclusive: Option<Exclusivity>,
    /// Where it is declared.
    pub source: Source,
}

impl NodesetDecl {
    /// The policy in force: as declared, else exclusive exactly when replicated.
    pub const fn exclusivity(&self) -> Exclusivity {
        match (self.exclusive, self.parallelism) {
            (Some(declared), _) => declared,
            (None, Parallelism::Replicated) => Exclusivity::Mcp,
            (None, Parallelism::Shared) => Exclusivity::Open,
        }
    }

    /// What stands before `__` in the full names of its nodes; empty for none.
    pub const fn name_prefix(&self) -> &'static str {
        match self.prefix {
            Some(prefix) => prefix,
            None => self.name,
        }
    }
}

/// What `#[node]` says about one node: the arguments of one call and how they are shown.
#[derive(Clone, Copy, Debug)]
pub struct NodeDecl {
    /// Name without the nodeset's prefix.
    pub name: &'static str,
    /// Title for people.
    pub title: Option<&'static str>,
    /// Doc comment.
    pub doc: &'static str,
    /// Declared hints; nothing is guessed.
    pub hints: Hints,
    /// Ports and config fields in declared order.
    pub fields: &'static [FieldDecl],
    /// Where it is declared.
    pub source: Source,
}

/// A port, a config field or an output.
#[derive(Clone, Copy, Debug)]
pub struct FieldDecl {
    /// Name on every face, raw prefix stripped.
    pub name: &'static str,
    /// Title for people.
    pub title: Option<&'static str>,
    /// Doc comment.
    pub doc: &'static str,
    /// Overrides the wire type that the schema implies (`wire.md` 1.1).
    pub wire: Option<&'static str>,
    /// The type as the user wrote it.
    pub written: &'static str,
    /// Schema and optionality of the type.
    pub ty: TypeDecl,
    /// Port or config field; outputs are ports.
    pub role: Role,
}

/// How a field is shown and filled.
#[derive(Clone, Copy, Debug)]
pub enum Role {
    /// A value that flows along a wire.
    Port,
    /// A parameter in the framework's editor.
    Config(ConfigDecl),
}

impl FieldDecl {
    /// A port (input or output) with nothing but a name, a doc comment and a type.
    pub const fn port(name: &'static str, doc: &'static str, written: &'static str, ty: TypeDecl) -> Self {
        Self { name, title: None, doc, wire: None, written, ty, role: Role::Port }
    }

    /// A config field.
    pub const fn config(
        name: &'static str,
        doc: &'static str,
        written: &'static str,
        ty: TypeDecl,
        config: ConfigDecl,
    ) -> Self {
        Self { name, title: None, doc, wire: None, written, ty, role: Role::Config(config) }
    }

    /// Sets the title.
    #[must_use]
    pub const fn title(mut self, title: &'static str) -> Self {
        self.title = Some(title);
        self
    }

    /// Overrides the wire type.
    #[must_use]
    pub const fn wire(mut self, wire: &'static str) -> Self {
        self.wire = Some(wire);
        self
    }
}

/// What the table knows of a Rust type: function pointers, one pair a type.
#[derive(Clone, Copy, Debug)]
pub struct TypeDecl {
    /// Its JSON Schema.
    pub schema: SchemaFn,
    /// Whether leaving the value out decodes, that is, whether the type is an `Option` (aliases included).
    pub optional: fn() -> bool,
}

/// One kind of error that a node can answer with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErrorKindDecl {
    /// The `type` on the wire.
    pub name: &'static str,
    /// Doc comment.
    pub doc: &'static str,
    /// Whether the same call may succeed later.
    pub retryable: bool,
}

/// A place in the user's source, for `check` and editors; never part of the contract.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// Path as the compiler gives it.
    pub file: &'static str,
    /// Line, from 1.
    pub line: u32,
}
