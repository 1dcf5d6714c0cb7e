//! Every projection of every fixture, as text that a reviewer reads: one folder a projection below `snapshots/`.
//!
//! Accept what you meant to change as README says under "Snapshots".

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test ends where something is not as it should be"
)]

use std::fs;
use std::path::Path;

use gridworld as _;
use kitchen as _;
use nodecast::catalog::{Catalog, NODESETS};
use nodecast::contract::{self, Profile};
use nodecast::manifest::{self, Limits};
use serde_json::{Value as Json, json};
use vision as _;

/// The crates of fixtures, and the nodesets that they hold.
const FIXTURES: [(&str, &[&str]); 3] =
    [("gridworld", &["gridworld"]), ("kitchen", &["kitchen", "pantry"]), ("vision", &["vision"])];

fn catalogs() -> Vec<Catalog> {
    let mut linked: Vec<_> = NODESETS.iter().collect();
    linked.sort_by_key(|nodeset| nodeset.name);
    linked.iter().map(|nodeset| (nodeset.catalog)().unwrap()).collect()
}

/// Compares with `snapshots/{projection}/{name}.snap`.
fn assert_snapshot(projection: &str, name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings
        .set_snapshot_path(Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("snapshots").join(projection));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    // A hash moves with every change; the text shows where the change was made.
    settings.add_filter("sha256:[0-9a-f]{64}", "sha256:…");
    settings.bind(|| insta::assert_snapshot!(name, text));
}

fn assert_json(projection: &str, name: &str, value: &Json) {
    assert_snapshot(projection, name, &serde_json::to_string_pretty(value).unwrap());
}

#[test]
fn every_fixture_is_linked() {
    let names: Vec<String> = catalogs().iter().map(|catalog| catalog.name.to_string()).collect();
    let nodesets: Vec<&str> = FIXTURES.iter().flat_map(|(_, nodesets)| *nodesets).copied().collect();
    assert_eq!(names, nodesets);
}

#[test]
fn manifest() {
    for catalog in catalogs() {
        let hash = contract::document(&catalog).unwrap().hash;
        let mut document = manifest::document(&catalog, &hash, Limits::default());
        // A node has a snapshot of its own, and so have its schemas.
        for (function, entry) in document["functions"].as_array_mut().unwrap().iter_mut().zip(&catalog.entries) {
            for schema in ["input_schema", "output_schema"] {
                function["nodecast"][schema] = json!("see schema/");
            }
            let name = format!("{}__{}", catalog.name, entry.name);
            assert_json("manifest", &name, function);
            *function = json!(format!("see {name}"));
        }
        assert_json("manifest", &catalog.name, &document);
    }
}

#[test]
fn schema() {
    for catalog in catalogs() {
        for entry in &catalog.entries {
            let schemas = json!({"input": entry.input_schema, "output": entry.output_schema});
            assert_json("schema", &format!("{}__{}", catalog.name, entry.name), &schemas);
        }
    }
}

#[test]
fn mcp() {
    for catalog in catalogs() {
        for (entry, tool) in catalog.entries.iter().zip(contract::tools(&catalog, Profile::Inline)) {
            assert_json("mcp", &format!("{}__{}", catalog.name, entry.name), &tool.to_json());
        }
    }
}

#[test]
fn policy() {
    for catalog in catalogs() {
        assert_json("policy", &catalog.name, &contract::policy(&catalog));
    }
}

/// What the macros emit, file by file; the user's own code around it is left out.
#[test]
fn expansion() {
    for (fixture, _) in FIXTURES {
        let src = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("fixtures").join(fixture).join("src");
        let mut files: Vec<_> = fs::read_dir(src).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "rs")) {
            let expanded = nodecast_macros_core::expand_file(&fs::read_to_string(file).unwrap()).unwrap();
            let mut expanded = syn::parse_file(&expanded).unwrap();
            expanded.attrs.clear();
            expanded.items.retain(|item| matches!(item, syn::Item::Const(item) if item.ident == "_"));
            if !expanded.items.is_empty() {
                let stem = file.file_stem().unwrap().to_string_lossy();
                let name = if stem == "lib" { fixture.to_owned() } else { format!("{fixture}__{stem}") };
                assert_snapshot("expansion", &name, &prettyplease::unparse(&expanded));
            }
        }
    }
}

/// The document that a client may rely on: sorted, compact, the same on every run, and hashed without the version.
#[test]
fn the_contract_document_is_canonical() {
    for catalog in catalogs() {
        let document = contract::document(&catalog).unwrap();
        let parsed: Json = serde_json::from_str(&document.text).unwrap();
        assert_eq!(contract::canonical(&parsed).unwrap() + "\n", document.text);
        let again = Catalog { version: "99.0.0".into(), ..(catalog) };
        assert_eq!(
            contract::document(&again).unwrap().hash,
            document.hash,
            "a release without a change keeps the hash"
        );
    }
}
