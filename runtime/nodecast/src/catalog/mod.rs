//! What serves: an immutable list of entries with a revision, read from a const table or made at run time.
//!
//! Projections, profiles, paging and serving know only [`Catalog`], so an entry made at run time has nothing less than
//! a declared one. This module knows no face.

mod containers;
mod declared;
mod linked;
mod made;
mod names;
mod offered;
mod offers;
mod read;
mod read_offers;
mod reply;
mod service;
mod settings;
mod template;

use std::borrow::Cow;

use serde_json::Value as Json;

pub use containers::{Container, MAX_KEYS, State};
pub use declared::Declared;
pub use linked::{Linked, NODESETS, Start};
pub use made::{DOCUMENTS, LinkedDocument, Made, Starts, linked_document};
pub use names::Names;
pub use offered::Reference;
pub use offers::{Argument, Completion, Prompt, Resource};
pub use service::Service;
pub use settings::Settings;
pub use template::Template;

use crate::call::{NODE, PROMPT, RESOURCE};
use crate::decl::{
    Batching, CacheDecl, Deprecation, DisplayDecl, ErrorKindDecl, Exclusivity, Hints, IconTheme, JsonForm, OutputShape,
    PanelDecl, Parallelism, Section, Sessions, Source, TaskMode, Widget,
};
use crate::schema::{self, SchemaSource};

/// A name or a text: borrowed from a table, or owned by an entry made at run time.
pub type Text = Cow<'static, str>;

/// Members of `_meta`.
pub type Meta = serde_json::Map<String, Json>;

/// A picture beside a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Icon {
    /// Where it is: `https:` or `data:`.
    pub src: Text,
    /// Its media type, where the address does not say it.
    pub mime: Option<Text>,
    /// Its size, such as `48x48`, or `any`.
    pub size: Option<Text>,
    /// The background that it is made for.
    pub theme: Option<IconTheme>,
}

/// One nodeset as it is served: its facts and its entries in order.
#[derive(Clone, Debug)]
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
    /// Whether the newer protocol era is refused.
    pub modern_rejected: bool,
    /// Whether a client of the older era has a session; `Required` where one client holds the nodeset.
    pub sessions: Sessions,
    /// Whether callers read the text of errors that no node declares.
    pub show_errors: bool,
    /// How many entries a page of a list has, where said.
    pub page_size: Option<u32>,
    /// How long lists, and what is read, may be kept, where said.
    pub cache: CacheDecl,
    /// Pictures beside its name.
    pub icons: Vec<Icon>,
    /// Members of its `_meta`.
    pub meta: Meta,
    /// Whether text is taken for the number, bool, list or object that it spells, where no text is taken.
    pub coerce: bool,
    /// Where it is declared.
    pub source: Option<Source>,
    /// One entry a node, in order.
    pub entries: Vec<Entry>,
    /// In listed order.
    pub resources: Vec<Resource>,
    /// In listed order.
    pub prompts: Vec<Prompt>,
    /// What it remembers between calls, in listed order.
    pub containers: Vec<Container>,
    /// What people see and set beside a graph.
    pub panel: Option<PanelDecl>,
}

/// The full names of what the runtime itself adds to an exclusive nodeset (`mcp.md` 4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaseNames {
    /// Hands the lease out.
    pub acquire: Text,
    /// Takes it back.
    pub release: Text,
}

/// One callable.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a word of the declaration, said or not")]
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
    /// Whether changes of it break nobody's contract yet.
    pub unstable: bool,
    /// Why it should not be used any more.
    pub deprecated: Option<Deprecation>,
    /// How single calls are gathered.
    pub batched: Option<Batching>,
    /// Whether a call may or must run as a task; neither where not said.
    pub task: Option<TaskMode>,
    /// Whether it only waits for what other calls do.
    pub waits: bool,
    /// Whether a search shows it behind tools that are made for a task.
    pub fallback: bool,
    /// Whether it is a tool of MCP alone, in no manifest and on no route of calls.
    pub mcp_only: bool,
    /// Pictures beside its name.
    pub icons: Vec<Icon>,
    /// Members of its `_meta`, those of ours not among them.
    pub meta: Meta,
    /// What the result is made of.
    pub shape: OutputShape,
    /// Ports and config fields, in declared order.
    pub inputs: Vec<Field>,
    /// Output ports, in order.
    pub outputs: Vec<Field>,
    /// Declared kinds of error.
    pub errors: Cow<'static, [ErrorKindDecl]>,
    /// JSON Schema of the arguments (deserialize contract, profile `full`): a closed object.
    pub input_schema: Json,
    /// Where that schema comes from.
    pub schema_source: SchemaSource,
    /// JSON Schema of the outputs (serialize contract, profile `full`): an open object.
    pub output_schema: Json,
    /// Where it is declared.
    pub source: Option<Source>,
}

/// A port, a config field or an output.
#[derive(Clone, Debug)]
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
    /// How JSON carries its numbers.
    pub form: JsonForm,
    /// The HTTP header that mirrors the argument, without `Mcp-Param-`.
    pub header: Option<Text>,
    /// Why it should not be used any more.
    pub deprecated: Option<Deprecation>,
    /// How an output is shown in an editor.
    pub display: Option<DisplayDecl>,
    /// Whether pictures stand in it, at any depth: clients that show pictures are sent them as such.
    pub shows_images: bool,
    /// Whether its pictures are sent at their full size or not at all.
    pub full_size: bool,
    /// How it is shown, for a config field; `None` for a port.
    pub config: Option<Config>,
    /// The self-contained schema that its values are checked against.
    pub checked: Json,
    /// The same for JSON, where JSON carries its numbers in another form.
    pub checked_json: Option<Json>,
}

/// How a config field is shown in an editor, and its default (`wire.md` 3).
#[derive(Clone, Debug)]
pub struct Config {
    /// `select`, `slider`, `toggle`, `number`, `text`, `textarea` or `label`.
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
    /// Whether the editor offers to keep the value.
    pub persist: bool,
    /// Whether it stands on the node's card.
    pub on_card: bool,
    /// The text of "no value".
    pub unset_label: Text,
}

/// A name on every face.
fn full_name(prefix: &str, name: &'static str) -> Text {
    if prefix.is_empty() { name.into() } else { format!("{prefix}__{name}").into() }
}

impl Entry {
    /// What clients read of it: the doc comment, and in a last line that it is deprecated.
    pub fn description(&self) -> Text {
        match self.deprecated {
            Some(deprecation) => schema::with_deprecation(&self.doc, deprecation).into(),
            None => self.doc.clone(),
        }
    }

    /// Whether it tells a graph engine what to run next, in place of outputs.
    pub fn fires(&self) -> bool {
        self.shape == OutputShape::FireList
    }

    /// Whether a result shows pictures, so that clients of MCP are sent blocks and no structured content.
    pub fn shows_images(&self) -> bool {
        self.outputs.iter().any(|port| port.shows_images)
    }
}

impl Field {
    /// Whether it is text in an editor and carries no value.
    pub fn is_label(&self) -> bool {
        self.config.as_ref().is_some_and(|config| config.field_type == Widget::Label.as_str())
    }
}

impl Catalog {
    /// The entry of this full name, with its place in the list.
    pub fn entry(&self, full_name: &str) -> Option<(usize, &Entry)> {
        self.entries.iter().enumerate().find(|(_, entry)| entry.full_name == full_name)
    }

    /// What a graph framework calls, in order: all but the tools of MCP alone.
    pub fn functions(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| !entry.mcp_only)
    }

    /// The full names of all that can be called, and which of nodes, resources and prompts each is.
    pub fn full_names(&self) -> impl Iterator<Item = (&'static str, &Text)> {
        let Self { entries, resources, prompts, .. } = self;
        let nodes = entries.iter().map(|entry| (NODE, &entry.full_name));
        let resources = resources.iter().map(|resource| (RESOURCE, &resource.full_name));
        nodes.chain(resources).chain(prompts.iter().map(|prompt| (PROMPT, &prompt.full_name)))
    }

    /// Whether one client at a time holds the nodeset.
    pub fn is_exclusive(&self) -> bool {
        self.exclusivity != Exclusivity::Open
    }

    /// The full names under which its lease is taken and given back; none where nobody takes it by name: a session of the
    /// older era alone, or nobody at all.
    pub fn lease_names(&self) -> Option<LeaseNames> {
        let full = |name| {
            if self.prefix.is_empty() { Text::Borrowed(name) } else { format!("{}__{name}", self.prefix).into() }
        };
        let is_taken_by_name = match self.exclusivity {
            Exclusivity::Open => false,
            Exclusivity::Mcp => !self.modern_rejected,
            Exclusivity::All => true,
        };
        is_taken_by_name.then(|| LeaseNames { acquire: full("acquire"), release: full("release") })
    }
}
