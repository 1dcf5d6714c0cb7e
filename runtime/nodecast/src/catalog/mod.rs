//! What serves: an immutable list of entries with a revision, read from a const table or made at run time.
//!
//! Projections, profiles, paging and serving know only [`Catalog`], so an entry made at run time has nothing less than
//! a declared one. This module knows no face.

mod linked;

use std::sync::Arc;

pub use linked::{Linked, NODESETS};

use crate::Error;
use crate::call::{Context, Nodeset, Reply, Runner};
use crate::decl::{Exclusivity, Hints, Parallelism, Role, Source};
use crate::wire::Value;
/// One nodeset as it is served: its facts and its entries in order.
#[derive(Debug)]
pub struct Catalog {
    /// Grows by one with every published change; a declared nodeset stays at 1.
    pub revision: u64,
    /// Name as served.
    pub name: String,
    /// What stands before `__` in full names; empty for none.
    pub prefix: String,
    /// Title for people.
    pub title: Option<String>,
    /// Doc comment.
    pub doc: String,
    /// Server instructions for a model.
    pub instructions: Option<String>,
    /// Version of the crate that declares it.
    pub version: String,
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
    pub name: String,
    /// Name on every face: `{prefix}__{name}`.
    pub full_name: String,
    /// Title for people.
    pub title: Option<String>,
    /// Doc comment.
    pub doc: String,
    /// Declared hints.
    pub hints: Hints,
    /// Ports and config fields, in declared order.
    pub inputs: Vec<Field>,
    /// Output ports, in order.
    pub outputs: Vec<Field>,
    /// Declared kinds of error: name, text, retryable.
    pub errors: Vec<ErrorKind>,
    /// JSON Schema of the arguments (deserialize contract, profile `full`): a closed object.
    pub input_schema: serde_json::Value,
    /// JSON Schema of the outputs (serialize contract, profile `full`): an open object.
    pub output_schema: serde_json::Value,
    /// Where it is declared.
    pub source: Option<Source>,
}

/// A port, a config field or an output.
#[derive(Debug)]
pub struct Field {
    /// Name on every face.
    pub name: String,
    /// Title for people.
    pub title: Option<String>,
    /// Doc comment.
    pub doc: String,
    /// The wire type, such as `IMAGE` or `LIST[TEXT]`.
    pub wire_type: String,
    /// Whether it may be left out without having a default.
    pub optional: bool,
    /// Port or config field.
    pub role: Role,
    /// The default of a config field.
    pub default: Option<Value>,
}

/// A declared kind of error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorKind {
    /// The `type` on the wire.
    pub name: String,
    /// Doc comment.
    pub doc: String,
    /// Whether the same call may succeed later.
    pub retryable: bool,
}

/// The arguments of a call as a face received them.
#[derive(Clone, Debug)]
pub enum Arguments {
    /// `inputs` and `config` apart.
    Split {
        /// Values of ports.
        inputs: Vec<(String, Value)>,
        /// Values of config fields.
        config: Vec<(String, Value)>,
    },
    /// Ports and config fields together.
    Flat(Vec<(String, Value)>),
}

/// A catalog with what runs it: the one way into a call for every face.
#[derive(Clone)]
pub struct Service {
    catalog: Arc<Catalog>,
    runner: Arc<dyn Runner>,
}

impl Catalog {
    /// Reads the table of `S`; fails when a type's schema and its declaration disagree.
    pub fn of<S: Nodeset>() -> Result<Self, Error> {
        let decl = &S::TABLE.decl;
        Err(Error::new("not_built", decl.name))
    }

    /// The entry of this full name.
    pub fn entry(&self, full_name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.full_name == full_name)
    }
}

impl Service {
    /// Serves `catalog` through `runner`.
    pub fn new(catalog: Arc<Catalog>, runner: Arc<dyn Runner>) -> Self {
        Self { catalog, runner }
    }

    /// What is served.
    pub fn catalog(&self) -> &Arc<Catalog> {
        &self.catalog
    }

    /// What runs it.
    pub fn runner(&self) -> &Arc<dyn Runner> {
        &self.runner
    }

    /// Calls an entry by its full name: checks the arguments, runs it, checks the reply.
    ///
    /// Every failure, a panic of the node included, is an [`Error`] with its stage.
    pub async fn call(&self, function: &str, arguments: Arguments, cx: &Context) -> Result<Reply, Error> {
        let _ = (function, arguments, cx, &self.runner);
        Err(Error::new("not_built", "the call path is not built yet"))
    }
}
