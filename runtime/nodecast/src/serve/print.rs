//! `NODECAST_PRINT`: what a binary would serve, read without serving it (`contract.md` 2).
//!
//! `NODECAST_PRINT=PROJECTION` prints one document for the only nodeset, or for the one that `NODECAST_NODESET` picks;
//! `NODECAST_PRINT=PROJECTION:all` prints an object nodeset → document, in the order in which they are served. The
//! projections are `contract`, `manifest`, `mcp` (in the profile of `NODECAST_PROFILE`), `schema`, `policy`, `settings`,
//! and for whoever keeps them in files `snapshots` (file → text) and `sources` (name → file and line); `review` is these two
//! and the contract at once. Arguments are not read, so that it works for a `main` with arguments of its own, and nothing
//! starts.

use serde_json::{Value as Json, json};

use super::face;
use super::host::HostError;
use super::options::Options;
use super::settings::variable;
use crate::Error;
use crate::catalog::{Catalog, Linked, linked_document};
use crate::contract::{self, Tool};
use crate::manifest;

/// The variable.
pub(super) const VARIABLE: &str = "NODECAST_PRINT";

const PROJECTIONS: [&str; 9] =
    ["contract", "manifest", "mcp", "schema", "policy", "settings", "snapshots", "sources", "review"];

/// The text that the variable asks for.
pub(super) fn text(asked: &str, nodesets: &[Linked], options: &Options) -> Result<String, HostError> {
    let (projection, all) = match asked.split_once(':') {
        Some((projection, "all")) => (projection, true),
        Some(_) => return Err(unknown(asked)),
        None => (asked, false),
    };
    // What is not about nodesets is one document of the whole binary.
    if let Some(document) = linked_document(projection).map_err(|error| declaration_of(projection, error))? {
        return Ok(document.to_string() + "\n");
    }
    if !PROJECTIONS.contains(&projection) {
        return Err(unknown(asked));
    }
    if all {
        let documents: Result<Vec<String>, HostError> = nodesets
            .iter()
            .map(|nodeset| Ok(format!("{}:{}", Json::from(nodeset.name), document(projection, nodeset, options)?)))
            .collect();
        return Ok(format!("{{{}}}\n", documents?.join(",")));
    }
    match nodesets {
        [only] => Ok(document(projection, only, options)? + "\n"),
        _ => Err(HostError::Usage(format!(
            "{VARIABLE}={asked}: this binary has several nodesets; pick one with NODECAST_NODESET, or ask for `{projection}:all`"
        ))),
    }
}

/// The document of one nodeset, in JSON on one line.
fn document(projection: &str, nodeset: &Linked, options: &Options) -> Result<String, HostError> {
    if projection == "settings" {
        return settings(nodeset).map(|settings| settings.to_string()).map_err(|error| declaration(nodeset, error));
    }
    let catalog = (nodeset.catalog)().map_err(|error| declaration(nodeset, error))?;
    project(projection, &catalog, options).map_err(|error| declaration(nodeset, error))
}

fn project(projection: &str, catalog: &Catalog, options: &Options) -> Result<String, Error> {
    let document = match projection {
        // As it is, canonical to the byte, so that its hash can be checked.
        "contract" => return Ok(contract::document(catalog)?.text.trim_end().to_owned()),
        "review" => return contract::review(catalog),
        "manifest" => manifest::document(catalog, &contract::hash(catalog)?, face::limits(options)),
        "mcp" => {
            let tools = contract::tools(catalog, options.profile);
            json!({ "tools": tools.iter().map(Tool::to_json).collect::<Vec<_>>() })
        }
        "schema" => {
            let schemas = catalog.entries.iter().map(|entry| {
                let both = json!({ "input": entry.input_schema, "output": entry.output_schema });
                (entry.full_name.to_string(), both)
            });
            Json::Object(schemas.collect())
        }
        "snapshots" => contract::snapshot_files(contract::snapshots(catalog)),
        "sources" => contract::sources(catalog),
        _ => contract::policy(catalog),
    };
    Ok(document.to_string())
}

/// What can be set, and what its variables begin with; no part of what a client can rely on.
fn settings(nodeset: &Linked) -> Result<Json, Error> {
    let variables = format!("{}__", variable(nodeset.name));
    Ok(json!({ "nodeset": nodeset.name, "variables": variables, "schema": (nodeset.settings)()?.schema() }))
}

fn declaration(nodeset: &Linked, error: Error) -> HostError {
    declaration_of(nodeset.name, error)
}

fn declaration_of(name: &str, error: Error) -> HostError {
    HostError::Declaration { nodeset: name.to_owned(), error }
}

fn unknown(asked: &str) -> HostError {
    HostError::Usage(format!(
        "{VARIABLE}={asked}: expected one of {}, each with or without `:all`",
        PROJECTIONS.join(", ")
    ))
}
