//! Words that several kinds of declaration share: icons, `_meta`, how long a result may be kept, tasks.

use super::Literal;

/// Members of `_meta`, in declared order.
pub type Meta = &'static [(&'static str, Literal)];

/// A picture beside a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IconDecl {
    /// Where it is: `https:` or `data:`.
    pub src: &'static str,
    /// Its media type, where the address does not say it.
    pub mime: Option<&'static str>,
    /// Its size, such as `48x48`, or `any`.
    pub size: Option<&'static str>,
    /// The background that it is made for.
    pub theme: Option<IconTheme>,
}

impl IconDecl {
    /// An icon of which nothing but its address is said.
    pub const fn new(src: &'static str) -> Self {
        Self { src, mime: None, size: None, theme: None }
    }

    /// Sets the media type.
    #[must_use]
    pub const fn mime(mut self, mime: &'static str) -> Self {
        self.mime = Some(mime);
        self
    }

    /// Sets the size.
    #[must_use]
    pub const fn size(mut self, size: &'static str) -> Self {
        self.size = Some(size);
        self
    }

    /// Sets the background that it is made for.
    #[must_use]
    pub const fn theme(mut self, theme: IconTheme) -> Self {
        self.theme = Some(theme);
        self
    }
}

/// The background that an icon is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IconTheme {
    /// A light one.
    Light,
    /// A dark one.
    Dark,
}

impl IconTheme {
    /// The word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

/// Who may keep a result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CacheScope {
    /// Anybody on the way.
    #[default]
    Public,
    /// The client that asked.
    Private,
}

impl CacheScope {
    /// The word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Private => "private",
        }
    }
}

/// What is said of how long a result may be kept, and by whom; `None` is "not said here".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheDecl {
    /// For so many milliseconds.
    pub ttl_ms: Option<u32>,
    /// By whom.
    pub scope: Option<CacheScope>,
}

impl CacheDecl {
    /// Nothing said.
    pub const NONE: Self = Self { ttl_ms: None, scope: None };
}

/// Whether a call of a node may or must run as a task (`mcp.md` 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskMode {
    /// It may, for a client that knows tasks.
    Optional,
    /// It must; a client that knows none is refused.
    Required,
}

impl TaskMode {
    /// The word of the contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Optional => "optional",
            Self::Required => "required",
        }
    }
}
