//! What a catalog offers beside its nodes: resources and prompts.

use std::borrow::Cow;

use serde_json::Value as Json;

use super::{Icon, Meta, Text};
use crate::decl::{CacheDecl, Deprecation, ErrorKindDecl, Source};

/// A document that clients read by its URI, or a template of such URIs.
#[derive(Clone, Debug)]
pub struct Resource {
    /// Name without the prefix.
    pub name: Text,
    /// Name on every face: `{prefix}__{name}`.
    pub full_name: Text,
    /// Its URI; with arguments, a template of level 1 (RFC 6570).
    pub uri: Text,
    /// Title for people.
    pub title: Option<Text>,
    /// Doc comment.
    pub doc: Text,
    /// Media type of its contents, where they do not say it themselves.
    pub mime: Option<Text>,
    /// How long what was read may be kept, where it differs from the nodeset's.
    pub cache: CacheDecl,
    /// Pictures beside its name.
    pub icons: Vec<Icon>,
    /// Members of its `_meta`.
    pub meta: Meta,
    /// Why it should not be used any more.
    pub deprecated: Option<Deprecation>,
    /// The variables of the template, in declared order.
    pub arguments: Vec<Argument>,
    /// Declared kinds of error.
    pub errors: Cow<'static, [ErrorKindDecl]>,
    /// Where it is declared.
    pub source: Option<Source>,
}

/// Messages that a person picks to begin with.
#[derive(Clone, Debug)]
pub struct Prompt {
    /// Name without the prefix.
    pub name: Text,
    /// Name on every face: `{prefix}__{name}`.
    pub full_name: Text,
    /// Title for people.
    pub title: Option<Text>,
    /// Doc comment.
    pub doc: Text,
    /// Pictures beside its name.
    pub icons: Vec<Icon>,
    /// Members of its `_meta`.
    pub meta: Meta,
    /// Why it should not be used any more.
    pub deprecated: Option<Deprecation>,
    /// Its arguments, in declared order.
    pub arguments: Vec<Argument>,
    /// Declared kinds of error.
    pub errors: Cow<'static, [ErrorKindDecl]>,
    /// Where it is declared.
    pub source: Option<Source>,
}

/// An argument of a prompt, or a variable of a URI; text on the wire, whatever its type.
#[derive(Clone, Debug)]
pub struct Argument {
    /// Name on every face.
    pub name: Text,
    /// Title for people.
    pub title: Option<Text>,
    /// Doc comment.
    pub doc: Text,
    /// Whether it may be left out.
    pub optional: bool,
    /// Why it should not be used any more.
    pub deprecated: Option<Deprecation>,
    /// The self-contained schema that its value is checked against.
    pub checked: Json,
    /// The same for its text, where a text stands for another value.
    pub checked_text: Option<Json>,
    /// How it is completed as it is typed.
    pub completion: Completion,
}

/// How an argument is completed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Completion {
    /// Not at all.
    None,
    /// With those of these values that fit.
    Known(Vec<Text>),
    /// By asking what runs the catalog.
    Asked,
}

impl Resource {
    /// Whether its URI is a template.
    pub fn is_template(&self) -> bool {
        !self.arguments.is_empty()
    }
}

impl Argument {
    /// Whether it is completed.
    pub fn completes(&self) -> bool {
        self.completion != Completion::None
    }
}
