//! What serves: an immutable list of entries with a revision, read from a const table or made at run time.
//!
//! Projections, profiles, paging and serving know only [`Catalog`], so an entry made at run time has nothing less than
//! a declared one. This module knows no face.

mod linked;
mod read;
mod service;

use std::borrow::Cow;

use serde_json::Value as Json;

pub use linked::{Linked, NODESETS, Start};
pub use service::Service;

use crate::decl::{ErrorKindDecl, Exclusivity, Hints, Parallelism, Section, Source};

/// A name or a text: borrowed from a table, or owned by an entry made at run time.
pub type Text = Cow<'static, str>;

/// One nodeset as it is served: its facts and its entries in order.
#[derive(Debug)]
pub struct Catalog {
    /// Grows by one with every published change; a declared nodeset stays at 1.
    pub revision: u64,
    /// Name as served.
    pub name: Text,
    /// What stands before `__` in full names; empty for none.
    pub prefix: Text,
    /// Title for people.
    pub title: Option<Text>,
    /// Doc comment.
    pub doc: Text,
    /// Server instructions for a model.
    pub instructions: Option<Text>,
    /// Version of the crate that declares it.
    pub version: Text,
    /// Shared or replicated.
    pub parallelism: Parallelism,
    /// Who needs the lease.
    pub exclusivity: Exclusivity,
    /// Where it is declared.
    pub source: Option<Source>,
    /// One entry a node, in order.
    pub entries: Vec<Entry>,
}

/// One callable.
#[derive(Debug)]
pub struct Entry {
    /// Name without the prefix.
    pub name: Text,
    /// Name on every face: `{prefix}__{name}`.
    pub full_name: Text,
    /// Title for people.
    pub title: Option<Text>,
    /// Doc comment.
    pub doc: Text,
    /// Declared hints.
    pub hints: Hints,
    /// Ports and config fields, in declared order.
    pub inputs: Vec<Field>,
    /// Output ports, in order.
    pub outputs: Vec<Field>,
    /// Declared kinds of error.
    pub errors: Cow<'static, [ErrorKindDecl]>,
    /// JSON Schema of the arguments (deserialize contract, profile `full`): a closed object.
    pub input_schema: Json,
    /// JSON Schema of the outputs (serialize contract, profile `full`): an open object.
    pub output_schema: Json,
    /// Where it is declared.
    pub source: Option<Source>,
}

/// A port, a config field or an output.
#[derive(Debug)]
pub struct Field {
    /// Name on every face.
    pub name: Text,
    /// Title for people.
    pub title: Option<Text>,
    /// Doc comment.
    pub doc: Text,
    /// The wire type, such as `IMAGE` or `LIST[TEXT]`.
    pub wire_type: Text,
    /// Whether it may be left out without having a default.
    pub optional: bool,
    /// How it is shown, for a config field; `None` for a port.
    pub config: Option<Config>,
    /// The self-contained schema that its values are checked against.
    pub checked: Json,
}

/// How a config field is shown in an editor, and its default (`wire.md` 3).
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// `select`, `slider`, `toggle`, `number`, `text` or `textarea`.
    pub field_type: Text,
    /// The text beside it.
    pub label: Text,
    /// Its value when left out.
    pub default: Option<Json>,
    /// Smallest value.
    pub min: Option<f64>,
    /// Largest value.
    pub max: Option<f64>,
    /// Distance of two positions.
    pub step: Option<f64>,
    /// Value and label of each option, for a select.
    pub options: Option<Vec<(Text, Text)>>,
    /// Greyed text of an empty field.
    pub placeholder: Text,
    /// The group of fields that it stands in.
    pub section: Section,
}

impl Catalog {
    /// The entry of this full name, with its place in the list.
    pub fn entry(&self, full_name: &str) -> Option<(usize, &Entry)> {
        self.entries.iter().enumerate().find(|(_, entry)| entry.full_name == full_name)
    }

    /// Whether one client at a time holds the nodeset.
    pub fn is_exclusive(&self) -> bool {
        self.exclusivity != Exclusivity::Open
    }
}
