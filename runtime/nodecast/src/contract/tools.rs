//! The list of MCP tools that a profile makes of a catalog (`mcp.md` 1 and 2), and what it loses by that.

use serde_json::{Map, Value as Json, json};

use super::loss::{Losses, Places};
use super::{Annotations, Loss, Profile, Tool, gemini, icon, inline, lease, legacy, reference, strict};
use crate::catalog::{Catalog, Entry};
use crate::decl::OutputShape;
use crate::manifest;
use crate::schema::{SchemaSource, walk};

/// The key of `_meta` that says that a node may change without being called broken.
const UNSTABLE: &str = "nodecast/unstable";
/// The keys that a hub reads (`hub.md`).
const WAITS: &str = "nodecast/waits";
const FALLBACK: &str = "nodecast/fallback";

/// The tools of a catalog, in listed order.
pub fn tools(catalog: &Catalog, profile: Profile) -> Vec<Tool> {
    projected(catalog, profile, Losses::Ignored).0
}

/// What a profile leaves out of the tools of a catalog.
pub fn losses(catalog: &Catalog, profile: Profile) -> Vec<Loss> {
    projected(catalog, profile, Losses::Noted).1
}

/// What a profile makes of a catalog.
#[derive(Debug)]
pub(super) struct Published {
    pub(super) profile: Profile,
    /// In listed order.
    pub(super) tools: Vec<Tool>,
    /// What the profile leaves out of them.
    pub(super) losses: Vec<Loss>,
}

/// What every profile makes of a catalog.
pub(super) fn published(catalog: &Catalog) -> Vec<Published> {
    let each = Profile::ALL.into_iter().map(|profile| {
        let (tools, losses) = projected(catalog, profile, Losses::Noted);
        Published { profile, tools, losses }
    });
    each.collect()
}

fn projected(catalog: &Catalog, profile: Profile, noted: Losses) -> (Vec<Tool>, Vec<Loss>) {
    let made = |(tool, places): (Tool, Places)| (tool, places.into_losses());
    let (tools, losses): (Vec<_>, Vec<_>) =
        catalog.entries.iter().map(|entry| made(tool(entry, profile, noted))).unzip();
    let losses = losses.concat();
    match (catalog.lease_names(), lease::lease_tools(catalog, profile)) {
        (_, Some(names)) => {
            let own = lease::own(catalog, &names).into_iter().map(|tool| {
                let places = Places::of(&tool.name, noted);
                made(rewritten(tool, profile, places))
            });
            let (own, lost): (Vec<_>, Vec<_>) = own.unzip();
            (lease::added(&names, own, tools), [lost.concat(), losses].concat())
        }
        // The contract of the newer era knows them, and this profile does not.
        (Some(names), None) if !catalog.modern_rejected && noted == Losses::Noted => {
            let lost = lease::losses(&names, &tools);
            (tools, [losses, lost].concat())
        }
        (_, None) => (tools, losses),
    }
}

fn tool(entry: &Entry, profile: Profile, noted: Losses) -> (Tool, Places) {
    let full = full(entry);
    let mut places = Places::of(&full.name, noted);
    match profile {
        Profile::Full => {
            no_output_schema(&full, &mut places);
            (full, places)
        }
        Profile::Inline | Profile::Strict | Profile::Gemini | Profile::Legacy => {
            let inline = inlined(entry, full, &mut places);
            rewritten(inline, profile, places)
        }
        Profile::Reference => {
            let coarse = reference::tool(&manifest::function(entry));
            places.note_difference(&full, &coarse);
            no_output_schema(&full, &mut places);
            (coarse, places)
        }
    }
}

fn full(entry: &Entry) -> Tool {
    let mut meta = entry.meta.clone();
    for (key, said) in [(UNSTABLE, entry.unstable), (WAITS, entry.waits), (FALLBACK, entry.fallback)] {
        if said {
            meta.insert(key.to_owned(), true.into());
        }
    }
    let description = entry.description();
    Tool {
        name: entry.full_name.to_string(),
        title: entry.title.as_ref().map(ToString::to_string),
        description: (!description.is_empty()).then(|| description.into_owned()),
        input_schema: object(entry.input_schema.clone()),
        output_schema: is_structured(entry).then(|| object(stubs(&entry.output_schema))),
        annotations: Annotations::of(entry.hints),
        icons: entry.icons.iter().map(icon).collect(),
        meta,
    }
}

fn inlined(entry: &Entry, full: Tool, places: &mut Places) -> Tool {
    no_output_schema(&full, places);
    // What was written by hand is published as it stands.
    let input_schema = match entry.schema_source {
        SchemaSource::Hand => full.input_schema,
        SchemaSource::Types => object(inline::input(&Json::Object(full.input_schema), places)),
    };
    let output_schema = full.output_schema.map(|schema| object(inline::output(&Json::Object(schema))));
    Tool { input_schema, output_schema, ..full }
}

/// A tool of the profile `inline` with its schemas in the words of another.
fn rewritten(tool: Tool, profile: Profile, mut places: Places) -> (Tool, Places) {
    let input = Json::Object(tool.input_schema);
    let input_schema = object(match profile {
        Profile::Strict => strict::input(input, &mut places),
        Profile::Gemini => gemini::input(input, &mut places),
        Profile::Legacy => legacy::schema(input, "/inputSchema", &mut places),
        Profile::Full | Profile::Inline | Profile::Reference => input,
    });
    let output_schema = tool.output_schema.map(|output| {
        let output = Json::Object(output);
        object(match profile {
            Profile::Legacy => legacy::schema(output, "/outputSchema", &mut places),
            Profile::Full | Profile::Inline | Profile::Strict | Profile::Gemini | Profile::Reference => output,
        })
    });
    (Tool { input_schema, output_schema, ..tool }, places)
}

/// Whether every result has `structuredContent`: SDKs refuse a result that has a schema and none, and clients that find
/// one hide the picture beside it.
fn is_structured(entry: &Entry) -> bool {
    entry.shape == OutputShape::Ports && !entry.shows_images()
}

fn no_output_schema(full: &Tool, places: &mut Places) {
    if full.output_schema.is_none() {
        places.note("outputSchema", || "/outputSchema".to_owned());
    }
}

fn object(schema: Json) -> Map<String, Json> {
    match schema {
        Json::Object(members) => members,
        _ => Map::new(),
    }
}

/// An array in a result is a stub that says what it is (`mcp.md` 3).
fn stubs(schema: &Json) -> Json {
    let mut schema = schema.clone();
    walk::all_mut(&mut schema, &mut |schema| {
        let Some(members) = schema.as_object_mut() else { return };
        let Some(marker) = members.get_mut("properties").and_then(|properties| properties.get_mut("__ndarray__"))
        else {
            return;
        };
        *marker = json!({"type": "string", "const": "<omitted>"});
        if let Some(Json::Object(properties)) = members.get_mut("properties") {
            let address = json!({ "type": "string", "description": "A resource that has the data while it is kept." });
            properties.insert("resource".to_owned(), address);
        }
        members.shift_remove("additionalProperties");
    });
    schema
}
