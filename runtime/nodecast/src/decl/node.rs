//! What `#[node]` says about one node.

use super::{FieldDecl, Hints, IconDecl, Meta, Source, TaskMode};

/// The arguments of one call and how they are shown.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a word of the declaration, said or not")]
pub struct NodeDecl {
    /// Name without the nodeset's prefix.
    pub name: &'static str,
    /// Title for people.
    pub title: Option<&'static str>,
    /// Doc comment.
    pub doc: &'static str,
    /// Declared hints; nothing is guessed.
    pub hints: Hints,
    /// Whether changes of it break nobody's contract yet (`contract.md` 4).
    pub unstable: bool,
    /// Why it should not be used any more.
    pub deprecated: Option<Deprecation>,
    /// A hand-written JSON Schema of all arguments, as text, for what types cannot say (`mcp.md` 1).
    pub raw_schema: Option<&'static str>,
    /// How single calls are gathered, where said; only for a `BatchNode` (`wire.md` 7).
    pub batched: Option<Batching>,
    /// Whether a call may or must run as a task; neither where not said.
    pub task: Option<TaskMode>,
    /// Whether it only waits for what other calls do, so that a hub lets it pass beside them (`hub.md`).
    pub waits: bool,
    /// Whether it can do anything, so that a hub's search shows it behind tools that are made for a task (`hub.md`).
    pub fallback: bool,
    /// Whether it is a tool of MCP alone: the framework's face has routes of its own for what it does (`wire.md` 8).
    pub mcp_only: bool,
    /// Pictures beside its name.
    pub icons: &'static [IconDecl],
    /// Members of its `_meta`.
    pub meta: Meta,
    /// Ports and config fields in declared order.
    pub fields: &'static [FieldDecl],
    /// Where it is declared.
    pub source: Source,
}

impl NodeDecl {
    /// A node without arguments, with nothing but its name, its doc comment and its place.
    pub const fn new(name: &'static str, doc: &'static str, source: Source) -> Self {
        Self {
            name,
            title: None,
            doc,
            hints: Hints::NONE,
            unstable: false,
            deprecated: None,
            raw_schema: None,
            batched: None,
            task: None,
            waits: false,
            fallback: false,
            mcp_only: false,
            icons: &[],
            meta: &[],
            fields: &[],
            source,
        }
    }

    /// Sets the title.
    #[must_use]
    pub const fn title(mut self, title: &'static str) -> Self {
        self.title = Some(title);
        self
    }

    /// Sets the hints.
    #[must_use]
    pub const fn hints(mut self, hints: Hints) -> Self {
        self.hints = hints;
        self
    }

    /// Exempts it from breaking.
    #[must_use]
    pub const fn unstable(mut self) -> Self {
        self.unstable = true;
        self
    }

    /// Says that it should not be used any more.
    #[must_use]
    pub const fn deprecated(mut self, deprecated: Deprecation) -> Self {
        self.deprecated = Some(deprecated);
        self
    }

    /// Sets the hand-written schema.
    #[must_use]
    pub const fn raw_schema(mut self, text: &'static str) -> Self {
        self.raw_schema = Some(text);
        self
    }

    /// Says how single calls are gathered.
    #[must_use]
    pub const fn batched(mut self, batching: Batching) -> Self {
        self.batched = Some(batching);
        self
    }

    /// Says whether a call may or must run as a task.
    #[must_use]
    pub const fn task(mut self, task: TaskMode) -> Self {
        self.task = Some(task);
        self
    }

    /// Says that it waits for what other calls do.
    #[must_use]
    pub const fn waits(mut self) -> Self {
        self.waits = true;
        self
    }

    /// Says that it stands behind tools that are made for a task.
    #[must_use]
    pub const fn fallback(mut self) -> Self {
        self.fallback = true;
        self
    }

    /// Says that it is a tool of MCP alone.
    #[must_use]
    pub const fn mcp_only(mut self) -> Self {
        self.mcp_only = true;
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

    /// Sets the fields.
    #[must_use]
    pub const fn fields(mut self, fields: &'static [FieldDecl]) -> Self {
        self.fields = fields;
        self
    }
}

/// What `#[deprecated]` says; both are empty when it says nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Deprecation {
    /// Since which version.
    pub since: &'static str,
    /// What to use instead.
    pub note: &'static str,
}

/// When a batch closes: at so many members, or so long after its first one, whichever is first (`wire.md` 7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batching {
    /// Most members, 1 to 4096.
    pub max: u32,
    /// Longest wait after the first member, in milliseconds, up to 1000.
    pub wait_ms: u32,
    /// So many batches of the node run at once, 1 to 4096; nothing that a caller could notice.
    pub concurrency: u32,
}

impl Batching {
    /// What holds where a `BatchNode` says nothing.
    pub const DEFAULT: Self = Self { max: 32, wait_ms: 10, concurrency: 1 };
}

/// What a node's result is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OutputShape {
    /// One value a port.
    #[default]
    Ports,
    /// Content blocks, passed on to MCP as they stand (`mcp.md` 1).
    Content,
    /// What a graph engine is to run next, in place of outputs (`wire.md` 7).
    FireList,
}

impl OutputShape {
    /// The word of the contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ports => "ports",
            Self::Content => "content",
            Self::FireList => "fire_list",
        }
    }
}
