//! The house rules that a machine can hold: who may import whom, module docs, file length, reasons of dependencies,
//! links of the book.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test ends where something is not as it should be"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The modules of the runtime, top to bottom (`DESIGN.md` 1): each may use those behind it, none before it.
const LAYERS: [&str; 11] =
    ["testing", "serve", "session", "contract", "manifest", "catalog", "ask", "schema", "call", "wire", "decl"];

/// A file that a reader can hold in the head.
const MAX_LINES: usize = 400;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

/// The Rust files below a folder; the inputs of macro tests and build output are left out.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && !matches!(name.as_str(), "target" | "ui" | "expansion" | ".git" | "node_modules") {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

/// The layer that a file of the runtime belongs to.
fn layer(file: &Path, src: &Path) -> Option<usize> {
    let first = file.strip_prefix(src).unwrap().components().next()?;
    let name = first.as_os_str().to_string_lossy().trim_end_matches(".rs").to_owned();
    LAYERS.iter().position(|layer| *layer == name)
}

/// The modules of the crate that a text names after `crate::`, groups included.
fn imports(text: &str) -> Vec<String> {
    let code: String = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
    let mut found = Vec::new();
    for (at, pattern) in code.match_indices("crate::") {
        let rest = &code[at + pattern.len()..];
        let names = match rest.strip_prefix('{') {
            Some(group) => group.split('}').next().unwrap().split(',').map(str::trim).collect(),
            None => vec![rest],
        };
        found.extend(names.into_iter().map(|name| {
            name.chars().take_while(|character| character.is_ascii_lowercase() || *character == '_').collect::<String>()
        }));
    }
    found
}

#[test]
fn modules_use_only_what_is_below_them() {
    let src = root().join("runtime/nodecast/src");
    let mut wrong = Vec::new();
    for file in sources(&src) {
        let Some(own) = layer(&file, &src) else { continue };
        for import in imports(&fs::read_to_string(&file).unwrap()) {
            if LAYERS[..own].contains(&import.as_str()) {
                wrong.push(format!("{}: uses `{import}`, which is above it", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_layering_test_sees_a_wrong_import() {
    assert_eq!(
        imports("use crate::{Error, serve, wire::Value};\nlet x = crate::session::new();"),
        ["", "serve", "wire", "session"]
    );
}

#[test]
fn every_file_says_what_it_is_for_and_can_be_held_in_the_head() {
    let mut wrong = Vec::new();
    for file in sources(&root()) {
        let text = fs::read_to_string(&file).unwrap();
        if !text.starts_with("//!") && !text.starts_with("#!") {
            wrong.push(format!("{}: no module docs", file.display()));
        }
        let lines = text.lines().count();
        if lines > MAX_LINES {
            wrong.push(format!("{}: {lines} lines", file.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Issue 6: the graph of live applications is ours as long as it is small.
#[test]
fn the_graph_of_live_applications_stays_small() {
    let files = sources(&root().join("runtime/live/src/graph"));
    let lines = files.iter().map(|file| {
        let text = fs::read_to_string(file).unwrap();
        text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//")).count()
    });
    let lines: usize = lines.sum();
    assert!((500..800).contains(&lines), "{lines}");
}

/// The names in the first column of a table of markdown; what stands in brackets is a remark.
fn first_column(markdown: &str) -> BTreeSet<String> {
    let rows = markdown.lines().filter_map(|line| line.strip_prefix('|')?.split('|').next());
    let names = rows.skip(2).flat_map(|cell| cell.split(','));
    names.map(|name| name.split('(').next().unwrap().trim().to_owned()).collect()
}

#[test]
fn every_dependency_has_its_reason() {
    let manifest: toml::Table = fs::read_to_string(root().join("Cargo.toml")).unwrap().parse().unwrap();
    let used = manifest["workspace"]["dependencies"].as_table().unwrap();
    let used: BTreeSet<_> = used.keys().filter(|name| !name.starts_with("nodecast")).cloned().collect();
    let listed = first_column(&fs::read_to_string(root().join("docs/dependencies.md")).unwrap());
    let missing: Vec<_> = used.difference(&listed).collect();
    let left: Vec<_> = listed.difference(&used).collect();
    assert!(missing.is_empty(), "docs/dependencies.md does not say why {missing:?} and not their rivals");
    assert!(left.is_empty(), "docs/dependencies.md gives reasons for {left:?}, which nothing uses");
}

/// The targets of the links in a page, without those into the web and into the page itself.
fn links(markdown: &str) -> impl Iterator<Item = &str> {
    let targets = markdown.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
    targets.filter(|target| !target.is_empty() && !target.contains("://"))
}

#[test]
fn every_link_of_the_book_leads_somewhere() {
    let mut pages: Vec<_> = ["README.md", "CONTRIBUTING.md", "bench/README.md"].map(|page| root().join(page)).into();
    for folder in ["docs", "docs/clients"] {
        pages.extend(fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path()));
    }
    let mut broken = Vec::new();
    for page in pages.iter().filter(|page| page.extension().is_some_and(|extension| extension == "md")) {
        for link in links(&fs::read_to_string(page).unwrap()) {
            if !page.parent().unwrap().join(link).exists() {
                broken.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
