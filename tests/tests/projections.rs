//! Every projection of every fixture, as text that a reviewer reads: one folder a projection below `snapshots/`.
//!
//! Accept what you meant to change as CONTRIBUTING says under "Snapshots".

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test ends where something is not as it should be"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use conformance as _;
use gridworld as _;
use interop as _;
use kitchen as _;
use nodecast::catalog::{Catalog, NODESETS};
use nodecast::contract;
use serde_json::Value as Json;
use vision as _;

/// The crates of fixtures, and the nodesets that they hold.
const FIXTURES: [(&str, &[&str]); 5] = [
    ("conformance", &["conformance"]),
    ("gridworld", &["gridworld"]),
    ("interop", &["dummy", "dummy_env", "dummy_optout", "echo", "owner"]),
    ("kitchen", &["cellar", "kitchen", "pantry"]),
    ("vision", &["vision"]),
];

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
    settings.bind(|| insta::assert_snapshot!(name, text));
}

#[test]
fn every_fixture_is_linked() {
    let names: Vec<String> = catalogs().iter().map(|catalog| catalog.name.to_string()).collect();
    let mut nodesets: Vec<&str> = FIXTURES.iter().flat_map(|(_, nodesets)| *nodesets).copied().collect();
    nodesets.sort_unstable();
    assert_eq!(names, nodesets);
}

/// Manifest, policy, schemas, tools, and what the profiles leave out.
#[test]
fn of_the_catalog() {
    for catalog in catalogs() {
        for ((folder, name), text) in contract::snapshots(&catalog) {
            assert_snapshot(folder, &name, &text);
        }
    }
}

/// Fault B26: a file that is missing, or that nothing is compared with, is no review; and the check accepts none.
#[test]
fn b26_every_snapshot_is_of_something_that_is_declared() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let made = catalogs().iter().flat_map(contract::snapshots).collect::<Vec<_>>();
    let made: BTreeSet<_> = made.iter().map(|((folder, name), _)| format!("{folder}/{name}.snap")).collect();
    let mut kept = BTreeSet::new();
    for folder in contract::SNAPSHOT_FOLDERS {
        for file in fs::read_dir(root.join("snapshots").join(folder)).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "snap") {
                kept.insert(format!("{folder}/{}", path.file_name().unwrap().display()));
            }
        }
    }
    let (missing, orphans): (Vec<_>, Vec<_>) = (made.difference(&kept).collect(), kept.difference(&made).collect());
    assert!(missing.is_empty() && orphans.is_empty(), "missing {missing:?}, of nothing {orphans:?}");
    let check = fs::read_to_string(root.join(".ci/run")).unwrap();
    assert!(check.contains("INSTA_UPDATE=no"), "the check would write what it should compare");
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
