//! What is offered beside nodes, and the words that several attributes share.

use proc_macro2::Ident;
use syn::{LitStr, Path};

use super::{Deprecation, Doc, Field, Literal, Name};

/// A struct with `#[resource]`: the variables of a URI.
#[derive(Debug)]
pub struct Resource {
    /// The user's name for our crate.
    pub krate: Path,
    /// The struct.
    pub ident: Ident,
    /// As declared or derived.
    pub name: Name,
    /// Its URI, or the template of its URIs.
    pub uri: LitStr,
    /// Title for people.
    pub title: Option<LitStr>,
    /// Doc comment.
    pub doc: Doc,
    /// Media type of its contents.
    pub mime: Option<LitStr>,
    /// For how many milliseconds what was read may be kept.
    pub ttl_ms: Option<u32>,
    /// By whom.
    pub cache_scope: Option<CacheScope>,
    /// Pictures beside its name.
    pub icons: Vec<Icon>,
    /// Members of its `_meta`.
    pub meta: Vec<MetaEntry>,
    /// Why it should not be used any more.
    pub deprecated: Option<Deprecation>,
    /// In declared order.
    pub fields: Vec<Field>,
}

/// A struct with `#[prompt]`: the arguments of a prompt.
#[derive(Debug)]
pub struct Prompt {
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
    /// Pictures beside its name.
    pub icons: Vec<Icon>,
    /// Members of its `_meta`.
    pub meta: Vec<MetaEntry>,
    /// Why it should not be used any more.
    pub deprecated: Option<Deprecation>,
    /// In declared order.
    pub fields: Vec<Field>,
}

/// A picture beside a name.
#[derive(Debug)]
pub struct Icon {
    /// Where it is.
    pub src: LitStr,
    /// Its media type.
    pub mime: Option<LitStr>,
    /// Its size.
    pub size: Option<LitStr>,
    /// The background that it is made for.
    pub theme: Option<IconTheme>,
}

/// The background that an icon is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IconTheme {
    /// A light one.
    Light,
    /// A dark one.
    Dark,
}

/// A member of `_meta`.
#[derive(Debug)]
pub struct MetaEntry {
    /// Its key.
    pub key: LitStr,
    /// Its value.
    pub value: Literal,
}

/// Who may keep a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CacheScope {
    /// Anybody on the way.
    Public,
    /// The client that asked.
    Private,
}
