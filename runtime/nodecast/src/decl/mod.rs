//! The table that the macros emit: plain `const` structs, `&'static` all through.
//!
//! Nothing here acts; every projection is a reading of these structs made elsewhere. This module knows no
//! other module of the crate.

mod check;
mod container;
mod field;
mod hints;
mod json;
mod node;
mod panel;
mod resource;
mod widget;
mod words;

use schemars::{Schema, SchemaGenerator};

pub use check::{Text, check_field_name, count, fingerprint, nearly_equal, same_header, same_text, same_uri};
pub use container::{
    ContainerDecl, Lifetime, RUN, Reducer, StateAbout, StateDecl, check_entries, check_initial, check_max_size,
};
pub use field::{DisplayDecl, DisplayWidget, FieldDecl, JsonForm, KeyAnswer, KeyType, Role, TypeDecl};
pub use hints::Hints;
pub use json::check_raw_schema;
pub use node::{Batching, Deprecation, NodeDecl, OutputShape};
pub use panel::{EnabledWhen, PanelAction, PanelDecl, PanelField, PanelKind, SideEffect};
pub use resource::{PromptDecl, ResourceDecl};
pub use widget::{Choice, ConfigDecl, Literal, Section, Widget};
pub use words::{CacheDecl, CacheScope, IconDecl, IconTheme, Meta, TaskMode};

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
    /// One client at a time over every face, `/call` included.
    All,
}

impl Exclusivity {
    /// The faces that need the lease, by the words of the policy.
    pub const fn gated(self) -> &'static [&'static str] {
        match self {
            Self::Open => &[],
            Self::Mcp => &["mcp"],
            Self::All => &["mcp", "call"],
        }
    }
}

/// Whether a client of the older protocol era has a session on a nodeset that is not exclusive, so any number may use it
/// at once (`mcp.md` 4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sessions {
    /// There are none.
    #[default]
    None,
    /// `initialize` hands one out, and a call works without.
    Kept,
    /// `initialize` hands one out, and a call needs it.
    Required,
}

impl Sessions {
    /// The word of the contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Kept => "kept",
            Self::Required => "required",
        }
    }
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
    /// Whether the newer protocol era is refused.
    pub modern_rejected: bool,
    /// Whether a client of the older era has a session; of no meaning where one client holds the nodeset.
    pub sessions: Sessions,
    /// How JSON carries the numbers of all fields that do not say it themselves.
    pub form: JsonForm,
    /// Whether callers read the text of errors that no node declares (`DESIGN.md` 5).
    pub show_errors: bool,
    /// How many entries a page of a list has; 100 where not said.
    pub page_size: Option<u32>,
    /// How long lists, and what is read, may be kept.
    pub cache: CacheDecl,
    /// Pictures beside its name.
    pub icons: &'static [IconDecl],
    /// Members of its `_meta`.
    pub meta: Meta,
    /// Whether text is taken for the number, bool, list or object that it spells, where no text is taken (`mcp.md` 3).
    pub coerce: bool,
    /// Where it is declared.
    pub source: Source,
}

impl NodesetDecl {
    /// A nodeset with nothing but its name, its doc comment and its place.
    pub const fn new(name: &'static str, doc: &'static str, version: &'static str, source: Source) -> Self {
        Self {
            name,
            prefix: None,
            title: None,
            doc,
            instructions: None,
            version,
            parallelism: Parallelism::Shared,
            exclusive: None,
            modern_rejected: false,
            sessions: Sessions::None,
            form: JsonForm::PLAIN,
            show_errors: false,
            page_size: None,
            cache: CacheDecl::NONE,
            icons: &[],
            meta: &[],
            coerce: false,
            source,
        }
    }

    /// Sets what stands in place of the name before `__`.
    #[must_use]
    pub const fn prefix(mut self, prefix: &'static str) -> Self {
        self.prefix = Some(prefix);
        self
    }

    /// Sets the title.
    #[must_use]
    pub const fn title(mut self, title: &'static str) -> Self {
        self.title = Some(title);
        self
    }

    /// Sets the server instructions.
    #[must_use]
    pub const fn instructions(mut self, instructions: &'static str) -> Self {
        self.instructions = Some(instructions);
        self
    }

    /// Says that it holds state of its own per replica.
    #[must_use]
    pub const fn replicated(mut self) -> Self {
        self.parallelism = Parallelism::Replicated;
        self
    }

    /// Says who needs the lease.
    #[must_use]
    pub const fn exclusive(mut self, exclusive: Exclusivity) -> Self {
        self.exclusive = Some(exclusive);
        self
    }

    /// Refuses the newer protocol era.
    #[must_use]
    pub const fn modern_rejected(mut self) -> Self {
        self.modern_rejected = true;
        self
    }

    /// Says whether a client of the older era has a session.
    #[must_use]
    pub const fn sessions(mut self, sessions: Sessions) -> Self {
        self.sessions = sessions;
        self
    }

    /// Sends all integers as decimal text in JSON (`wire.md` 4).
    #[must_use]
    pub const fn as_string(mut self) -> Self {
        self.form.integers_as_text = true;
        self
    }

    /// Shows callers the text of errors that no node declares.
    #[must_use]
    pub const fn show_errors(mut self) -> Self {
        self.show_errors = true;
        self
    }

    /// Takes text for the number, bool, list or object that it spells, where no text is taken.
    #[must_use]
    pub const fn coerce(mut self) -> Self {
        self.coerce = true;
        self
    }

    /// Sets how many entries a page of a list has.
    #[must_use]
    pub const fn page_size(mut self, entries: u32) -> Self {
        self.page_size = Some(entries);
        self
    }

    /// Says for how many milliseconds lists, and what is read, may be kept.
    #[must_use]
    pub const fn ttl_ms(mut self, ttl_ms: u32) -> Self {
        self.cache.ttl_ms = Some(ttl_ms);
        self
    }

    /// Says who may keep lists, and what is read.
    #[must_use]
    pub const fn cache_scope(mut self, scope: CacheScope) -> Self {
        self.cache.scope = Some(scope);
        self
    }

    /// Sets the icons.
    #[must_use]
    pub const fn icons(mut self, icons: &'static [IconDecl]) -> Self {
        self.icons = icons;
        self
    }

    /// Sets the members of `_meta`.
    #[must_use]
    pub const fn meta(mut self, meta: Meta) -> Self {
        self.meta = meta;
        self
    }

    /// The policy in force: as declared, else exclusive exactly when replicated.
    pub const fn exclusivity(&self) -> Exclusivity {
        match (self.exclusive, self.parallelism) {
            (Some(declared), _) => declared,
            (None, Parallelism::Replicated) => Exclusivity::Mcp,
            (None, Parallelism::Shared) => Exclusivity::Open,
        }
    }

    /// Whether a client of the older era has a session, as in force: one that holds the nodeset needs it.
    pub const fn session_rule(&self) -> Sessions {
        match self.exclusivity() {
            Exclusivity::Open => self.sessions,
            Exclusivity::Mcp | Exclusivity::All => Sessions::Required,
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
