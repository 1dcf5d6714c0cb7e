//! The contract: everything that a client could rely on, as one canonical document with a hash, and what each profile
//! makes of it; behind the feature `review`, what changed between two of them. This module knows nothing of serving.

mod containers;
#[cfg(feature = "review")]
mod diff;
mod gemini;
mod inline;
mod lease;
mod legacy;
#[cfg(feature = "review")]
mod lint;
mod loss;
mod offers;
mod openapi;
mod profile;
pub mod reference;
mod snapshots;
mod strict;
mod tool;
mod tools;

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::{Map, Value as Json, json};
use sha2::{Digest, Sha256};

#[cfg(feature = "review")]
pub use diff::{Change, Class, Judgement, Promises, RULES, Rule, Side, Verdict, diff, worst};
pub use lease::{IDLE_TIMEOUT_S, LEASE, RELEASED, lease_tools};
#[cfg(feature = "review")]
pub use lint::{Fault, LINTS, Lint, Severity, lint};
pub use loss::Loss;
pub use offers::{prompts, resources, templates};
pub use openapi::openapi;
pub use profile::Profile;
pub use snapshots::{
    FOLDERS as SNAPSHOT_FOLDERS, Place as SnapshotPlace, read_snapshot, same_snapshot, snapshot_file, snapshots,
    sources,
};
pub use tool::{Annotations, Tool};
pub use tools::{losses, tools};

use tools::Published;

use crate::Error;
use crate::call::{Stage, panel_document};
use crate::catalog::{Catalog, Config, Entry, Field, Icon, LeaseNames};
use crate::decl::{Batching, CacheDecl, Deprecation, ErrorKindDecl, JsonForm, TaskMode};

/// The version of the document's own form.
pub const FORMAT: u32 = 1;
/// The member of a node that is a tool of MCP alone.
const MCP_ONLY: &str = "mcp_only";

/// How long lists, and what is read, may be kept where nobody says: they change only with the binary.
pub const DEFAULT_TTL_MS: u32 = 300_000;

/// A contract document: canonical JSON (RFC 8785) with a trailing newline.
#[derive(Clone, Debug)]
pub struct Document {
    /// The bytes.
    pub text: String,
    /// `sha256:` of the declarations and schemas; the crate's version and the projections are outside.
    pub hash: String,
}

/// The hash of a contract by itself, which costs no projection: what a host says of itself at every start.
pub fn hash(catalog: &Catalog) -> Result<String, Error> {
    Ok(sha256(&canonical(&declared(catalog))?))
}

/// The contract document of one nodeset.
pub fn document(catalog: &Catalog) -> Result<Document, Error> {
    of_published(catalog, &tools::published(catalog))
}

fn of_published(catalog: &Catalog, published: &[Published]) -> Result<Document, Error> {
    let contract = canonical(&declared(catalog))?;
    let hash = sha256(&contract);
    let mut projections = BTreeMap::new();
    for Published { profile, tools, losses } in published {
        let tools = canonical(&tools.iter().map(Tool::to_json).collect())?;
        let losses = canonical(&losses.iter().map(Loss::to_json).collect())?;
        let name = profile.as_str();
        let members = format!("\"hash\":\"{}\",\"losses\":{losses},\"tools\":{tools}", sha256(&tools));
        projections.insert(name, format!("\"{name}\":{{{members}}}"));
    }
    let projections = projections.into_values().collect::<Vec<_>>().join(",");
    let version = canonical(&Json::from(&*catalog.version))?;
    // Canonical JSON made of canonical JSON, so that each part is written once; the members stand in the order of their names.
    let text = format!(
        "{{\"contract\":{contract},\"format\":{FORMAT},\"hash\":\"{hash}\",\"projections\":{{{projections}}},\
         \"version\":{version}}}\n"
    );
    Ok(Document { text, hash })
}

/// All that a review of a nodeset looks at, as JSON: its contract, its snapshots (file → text), and where things are
/// declared. Made at once, since each of them takes what every profile makes of the catalog.
pub fn review(catalog: &Catalog) -> Result<String, Error> {
    let published = tools::published(catalog);
    let contract = of_published(catalog, &published)?.text;
    let files = snapshot_files(snapshots::of_published(catalog, &published));
    let sources = sources(catalog);
    // The contract as it is: canonical to the byte.
    Ok(format!("{{\"contract\":{},\"snapshots\":{files},\"sources\":{sources}}}", contract.trim_end()))
}

/// Snapshots by the names of their files.
pub fn snapshot_files(snapshots: BTreeMap<SnapshotPlace, String>) -> Json {
    let files = snapshots.into_iter().map(|((folder, name), text)| (format!("{folder}/{name}.snap"), text.into()));
    Json::Object(files.collect())
}

/// What the hash is of.
fn declared(catalog: &Catalog) -> Json {
    json!({
        "nodeset": nodeset(catalog),
        "nodes": catalog.entries.iter().map(node).collect::<Vec<_>>(),
        "resources": catalog.resources.iter().map(|resource| offers::resource_facts(catalog, resource)).collect::<Vec<_>>(),
        "prompts": catalog.prompts.iter().map(offers::prompt_facts).collect::<Vec<_>>(),
    })
}

/// Who may use a nodeset at the same time, as the session layer enforces it.
pub fn policy(catalog: &Catalog) -> Json {
    let mut policy = json!({
        "nodeset": catalog.name,
        "parallelism": catalog.parallelism.as_str(),
        "exclusive": catalog.is_exclusive(),
        "gated": catalog.exclusivity.gated(),
        "sessions": catalog.sessions.as_str(),
        "modern": modern(catalog),
    });
    if let (Some(LeaseNames { acquire, release }), Some(policy)) = (catalog.lease_names(), policy.as_object_mut()) {
        policy.insert("acquire".to_owned(), acquire.into());
        policy.insert("release".to_owned(), release.into());
    }
    policy
}

/// How the newer protocol era is served.
fn modern(catalog: &Catalog) -> &'static str {
    match (catalog.modern_rejected, catalog.is_exclusive()) {
        (true, _) => "rejected",
        (false, true) => "lease",
        (false, false) => "stateless",
    }
}

/// Canonical JSON by RFC 8785.
pub fn canonical(value: &Json) -> Result<String, Error> {
    serde_json_canonicalizer::to_string(value).map_err(|error| {
        Error::at(Stage::InternalRuntime, "no_canonical_form", "the contract holds a number without a canonical form")
            .because(error)
    })
}

fn sha256(canonical: &str) -> String {
    let mut text = "sha256:".to_owned();
    for byte in Sha256::digest(canonical.as_bytes()) {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

fn nodeset(catalog: &Catalog) -> Json {
    // Destructured, so that a new fact must be placed here or said to be outside.
    let Catalog {
        name,
        prefix,
        title,
        doc,
        instructions,
        parallelism,
        exclusivity,
        modern_rejected: _,
        sessions,
        show_errors: _,
        // Clients follow cursors, however long a page is.
        page_size: _,
        cache,
        icons,
        meta,
        // The schemas are what a call can rely on; text for a number is for callers that cannot do better.
        coerce: _,
        version: _,
        revision: _,
        source: _,
        entries: _,
        resources: _,
        prompts: _,
        containers,
        panel,
    } = catalog;
    let mut facts = json!({
        "name": name,
        "prefix": prefix,
        "title": title,
        "doc": doc,
        "instructions": instructions,
        "parallelism": parallelism.as_str(),
        "exclusive": catalog.is_exclusive(),
        "gated": exclusivity.gated(),
        "sessions": sessions.as_str(),
        "modern": modern(catalog),
        "cache": cache_facts(*cache, CacheDecl::NONE),
        "icons": icons.iter().map(icon).collect::<Vec<_>>(),
        "meta": meta,
    });
    // Left out where there is none, so that what most nodesets do not have changes no contract.
    if let (Some(facts), false) = (facts.as_object_mut(), containers.is_empty()) {
        facts.insert("containers".to_owned(), containers.iter().map(containers::facts).collect());
    }
    if let (Some(facts), Some(panel)) = (facts.as_object_mut(), panel) {
        facts.insert("panel".to_owned(), panel_document(name, panel));
    }
    facts
}

/// How long something may be kept, and by whom, where the host asks for no token.
fn cache_facts(own: CacheDecl, of_nodeset: CacheDecl) -> Json {
    let CacheDecl { ttl_ms, scope } = own;
    json!({
        "ttl_ms": ttl_ms.or(of_nodeset.ttl_ms).unwrap_or(DEFAULT_TTL_MS),
        "scope": scope.or(of_nodeset.scope).unwrap_or_default().as_str(),
    })
}

/// An icon in the members of MCP.
pub fn icon(icon: &Icon) -> Json {
    let Icon { src, mime, size, theme } = icon;
    let mut members = Map::new();
    members.insert("src".to_owned(), src.as_ref().into());
    if let Some(mime) = mime {
        members.insert("mimeType".to_owned(), mime.as_ref().into());
    }
    if let Some(size) = size {
        members.insert("sizes".to_owned(), json!([size]));
    }
    if let Some(theme) = theme {
        members.insert("theme".to_owned(), theme.as_str().into());
    }
    Json::Object(members)
}

fn node(entry: &Entry) -> Json {
    let Entry {
        name,
        full_name,
        title,
        doc,
        hints,
        unstable,
        deprecated,
        batched,
        task,
        waits,
        fallback,
        mcp_only,
        icons,
        meta,
        shape,
        inputs,
        outputs,
        errors,
        input_schema,
        output_schema,
        // The schema itself says what a call can rely on.
        schema_source: _,
        source: _,
    } = entry;
    let hints: Map<String, Json> =
        hints.declared().map(|(name, declared)| (name.to_owned(), declared.into())).collect();
    let mut node = json!({
        "name": name,
        "full_name": full_name,
        "title": title,
        "doc": doc,
        "hints": hints,
        "unstable": unstable,
        "deprecated": deprecated.map(deprecation),
        "batched": batched.map(|Batching { max, wait_ms, concurrency: _ }| json!({"max": max, "wait_ms": wait_ms})),
        "task": task.map(TaskMode::as_str),
        "waits": waits,
        "fallback": fallback,
        "icons": icons.iter().map(icon).collect::<Vec<_>>(),
        "meta": meta,
        "result": shape.as_str(),
        "inputs": inputs.iter().map(field).collect::<Vec<_>>(),
        "outputs": outputs.iter().map(field).collect::<Vec<_>>(),
        "errors": kinds(errors),
        "input_schema": input_schema,
        "output_schema": output_schema,
    });
    // Nearly no node is, and all others keep their hash.
    if let (true, Some(node)) = (*mcp_only, node.as_object_mut()) {
        node.insert(MCP_ONLY.to_owned(), true.into());
    }
    node
}

fn kinds(errors: &[ErrorKindDecl]) -> Json {
    errors.iter().map(|kind| json!({"name": kind.name, "doc": kind.doc, "retryable": kind.retryable})).collect()
}

fn field(field: &Field) -> Json {
    let Field {
        name,
        title,
        doc,
        wire_type,
        optional,
        form,
        header,
        deprecated,
        display: _,
        shows_images: _,
        // What becomes of a picture that no client would take is nothing that a call can rely on.
        full_size: _,
        config,
        checked: _,
        checked_json: _,
    } = field;
    let JsonForm { integers_as_text, non_finite_as_null } = *form;
    json!({
        "name": name,
        "title": title,
        "doc": doc,
        "wire_type": wire_type,
        "optional": optional,
        "int64": integers_as_text.then_some("string"),
        "nan": non_finite_as_null.then_some("null"),
        "header": header,
        "deprecated": deprecated.map(deprecation),
        "config": config.as_ref().map(config_facts),
    })
}

fn deprecation(Deprecation { since, note }: Deprecation) -> Json {
    json!({"since": since, "note": note})
}

fn config_facts(config: &Config) -> Json {
    // How a framework's editor shows a field is no part of what a call can rely on.
    let Config {
        field_type,
        label,
        default,
        min,
        max,
        step,
        options,
        placeholder,
        section,
        persist: _,
        on_card: _,
        unset_label: _,
    } = config;
    json!({
        "field_type": field_type,
        "label": label,
        "default": default,
        "min": min,
        "max": max,
        "step": step,
        "options": options,
        "placeholder": placeholder,
        "section": section.as_str(),
    })
}
