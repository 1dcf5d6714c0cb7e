//! Nothing is built twice: what hosts of the fixtures stand on is what the workspace's own tests are built of, feature by
//! feature, and so is what `cargo codegen` and the documentation are built of.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use crate::support::{root, run, succeeded};

/// Each package with the features that cargo gives it; twice where proc macros get others than the rest.
fn built(manifest: &Path, more: &[&str]) -> BTreeSet<String> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["tree", "--offline", "--prefix", "none", "--format", "{p} {f}", "--manifest-path"]).arg(manifest);
    let tree = succeeded(cargo.args(more).current_dir(root()).output().unwrap());
    tree.lines().map(|line| line.trim_end_matches(" (*)").trim_end().to_owned()).collect()
}

/// What tests are built of.
fn workspace() -> BTreeSet<String> {
    built(&root().join("Cargo.toml"), &["--workspace", "--edges", "normal,build,dev"])
}

#[test]
fn a_host_is_built_of_what_the_tests_are_built_of() {
    let shared = workspace();
    let target = Path::new(env!("CARGO_BIN_EXE_codegen-cli")).ancestors().nth(2).unwrap();
    for fixture in ["vision", "gridworld", "kitchen", "conformance", "interop"] {
        succeeded(run(&["list", "-p", fixture]));
        let host = built(&target.join("nodecast-host").join(fixture).join("Cargo.toml"), &["--edges", "normal,build"]);
        assert!(host.len() > 200, "{host:?}");
        let own: Vec<&String> =
            host.difference(&shared).filter(|package| !package.starts_with("nodecast-host-")).collect();
        assert!(
            own.is_empty(),
            "the host of {fixture} has these with other features than the workspace, so they are built again for it; \
             name what is missing under [workspace.metadata.nodecast.host-dependencies] in Cargo.toml: {own:#?}"
        );
    }
}

#[test]
fn what_tests_turn_on_is_on_for_all() {
    let without = built(&root().join("Cargo.toml"), &["--workspace", "--edges", "normal,build"]);
    let shared = workspace();
    let own: Vec<&String> = without.difference(&shared).collect();
    assert!(
        own.is_empty(),
        "dev-dependencies turn on features of these, so they are built once for tests and once more for `cargo codegen`, \
         hosts and documentation; say the features under [dependencies] of tests/Cargo.toml: {own:#?}"
    );
}
