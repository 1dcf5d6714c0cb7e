//! What a program adds to its own host: a catalog that was made at run time, and documents about what is in the binary.

use std::fmt;
use std::sync::Arc;

use linkme::distributed_slice;
use serde_json::Value as Json;

use super::Catalog;
use crate::Error;
use crate::call::{Context, Runner};

/// A catalog with what runs it, made by the program that serves it.
pub struct Made {
    /// What is served.
    pub catalog: Catalog,
    /// Gives what runs it; the context's way to clients is open as long as it is served.
    pub start: Starts,
}

/// What gives a runner.
pub type Starts = Box<dyn Fn(&Context) -> Arc<dyn Runner> + Send + Sync>;

impl fmt::Debug for Made {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Made").field("name", &self.catalog.name).finish_non_exhaustive()
    }
}

/// Documents about what a binary holds beside nodesets; a library's own macros enter them.
#[distributed_slice]
pub static DOCUMENTS: [LinkedDocument];

/// One part of a document.
#[derive(Clone, Copy, Debug)]
pub struct LinkedDocument {
    /// The projection that it belongs to, as `NODECAST_PRINT` asks for it.
    pub projection: &'static str,
    /// Its name among the parts of one kind.
    pub name: &'static str,
    /// Its kind, which the parts stand under.
    pub kind: &'static str,
    /// What it says, or why the declaration is none.
    pub document: fn() -> Result<Json, Error>,
}

/// The whole document of a projection, kinds and parts sorted by name; none where the binary holds no part of it.
pub fn linked_document(projection: &str) -> Result<Option<Json>, Error> {
    let mut parts: Vec<_> = DOCUMENTS.iter().filter(|part| part.projection == projection).collect();
    parts.sort_by_key(|part| (part.kind, part.name));
    let mut whole = serde_json::Map::new();
    for part in &parts {
        let kind = whole.entry(part.kind).or_insert_with(|| Json::Object(serde_json::Map::new()));
        if let Some(kind) = kind.as_object_mut() {
            kind.insert(part.name.to_owned(), (part.document)()?);
        }
    }
    Ok((!parts.is_empty()).then_some(Json::Object(whole)))
}
