//! The reviewed projections of a nodeset, compared in a test: what `codegen-cli snapshot` writes, to the byte.

use std::fs;
use std::panic::Location;
use std::path::{Path, PathBuf};

use crate::call::Nodeset;
use crate::catalog::Catalog;
use crate::contract::{self, read_snapshot, same_snapshot, snapshot_file};

/// Asserts that the snapshots of `S` are as its declarations say: one file a projection and node, in `snapshots/` beside
/// the `Cargo.toml`, or in the folder that `[package.metadata.nodecast] snapshots` names there.
///
/// ```no_run
/// # use nodecast::prelude::*;
/// # #[nodeset(nodes())] #[derive(Default)] struct Greeter;
/// #[test]
/// fn snapshots() {
///     nodecast::testing::snapshots::<Greeter>();
/// }
/// ```
///
/// What changed is reviewed as insta's snapshots are: `cargo insta review` walks through it, and `INSTA_UPDATE=always`
/// accepts all of it; so does `codegen-cli snapshot`.
///
/// # Panics
///
/// Where a file is missing, says something else, or shows what is not declared any more.
#[track_caller]
pub fn snapshots<S: Nodeset>() {
    let test = Location::caller().file();
    let catalog = settled(Catalog::of::<S>().map_err(|error| error.to_string()));
    let folder = settled(folder());
    let wrong = settled(compared(&catalog, &folder, test, Update::asked()));
    assert!(
        wrong.is_empty(),
        "{} of the snapshots in {} differ from the declarations:\n\n{}\n\nif that is meant: `codegen-cli snapshot`, \
         `cargo insta review`, or INSTA_UPDATE=always",
        wrong.len(),
        folder.display(),
        wrong.join("\n")
    );
}

#[track_caller]
#[expect(clippy::panic, reason = "a test ends here")]
fn settled<T>(result: Result<T, String>) -> T {
    result.unwrap_or_else(|error| panic!("{error}"))
}

/// What happens to a file that differs, in insta's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Update {
    /// It is written.
    Always,
    /// What it would be lies beside it, for a review.
    New,
    /// Nothing.
    No,
}

impl Update {
    fn asked() -> Self {
        match std::env::var("INSTA_UPDATE").as_deref() {
            Ok("always") => Self::Always,
            Ok("no") => Self::No,
            Ok("new") => Self::New,
            // Nobody reviews there.
            _ if std::env::var_os("CI").is_some_and(|ci| ci != "false" && !ci.is_empty()) => Self::No,
            _ => Self::New,
        }
    }
}

/// Where the snapshots of the crate are whose test runs.
fn folder() -> Result<PathBuf, String> {
    let own = std::env::var_os("CARGO_MANIFEST_DIR").ok_or("CARGO_MANIFEST_DIR is not set; run the test with cargo")?;
    let own = PathBuf::from(own);
    let manifest = own.join("Cargo.toml");
    let text = fs::read_to_string(&manifest).map_err(|error| format!("{}: {error}", manifest.display()))?;
    let table: toml::Table = text.parse().map_err(|error| format!("{}: {error}", manifest.display()))?;
    let named = ["package", "metadata", "nodecast"].iter().try_fold(&table, |table, key| table.get(*key)?.as_table());
    let named = named.and_then(|settings| settings.get("snapshots")).and_then(toml::Value::as_str);
    Ok(own.join(named.unwrap_or("snapshots")))
}

/// What is wrong, a line or some a file; files are written as `update` says.
fn compared(catalog: &Catalog, folder: &Path, test: &str, update: Update) -> Result<Vec<String>, String> {
    let mut wrong = Vec::new();
    let files = contract::snapshots(catalog);
    for ((projection, name), text) in &files {
        let path = folder.join(projection).join(format!("{name}.snap"));
        let file = fs::read_to_string(&path).ok();
        let kept = file.as_deref().and_then(read_snapshot);
        if kept.is_some_and(|(_, kept)| same_snapshot(kept, text)) {
            continue;
        }
        let bytes = snapshot_file(kept.map_or(test, |(source, _)| source), text);
        match update {
            Update::Always => put(&path, &bytes)?,
            Update::New => put(&path.with_extension("snap.new"), &bytes)?,
            Update::No => {}
        }
        if update != Update::Always {
            let kept = kept.map_or("", |(_, kept)| kept);
            wrong.push(format!("{projection}/{name}.snap\n{}", difference(kept, text)));
        }
    }
    for projection in contract::SNAPSHOT_FOLDERS {
        let Ok(entries) = fs::read_dir(folder.join(projection)) else { continue };
        let mut orphans: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        orphans.retain(|path| {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            let of_nodeset =
                stem.strip_prefix(&*catalog.name).is_some_and(|rest| rest.is_empty() || rest.starts_with("__"));
            let is_snapshot = path.extension().is_some_and(|extension| extension == "snap");
            is_snapshot && of_nodeset && !files.contains_key(&(projection, stem.into_owned()))
        });
        orphans.sort();
        for path in orphans {
            if update == Update::Always {
                fs::remove_file(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            } else {
                wrong.push(format!("{}\n  shows what is not declared any more", path.display()));
            }
        }
    }
    Ok(wrong)
}

fn put(path: &Path, text: &str) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    fs::create_dir_all(path.parent().unwrap_or(path)).map_err(failed)?;
    fs::write(path, text).map_err(failed)
}

/// The lines that differ between the same beginning and the same end; a reviewer reads the files themselves.
fn difference(kept: &str, made: &str) -> String {
    let (kept, made): (Vec<&str>, Vec<&str>) = (kept.trim_end().lines().collect(), made.trim_end().lines().collect());
    let before = kept.iter().zip(&made).take_while(|(a, b)| a == b).count();
    let most = kept.len().min(made.len()) - before;
    let after = kept.iter().rev().zip(made.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
    let part = |lines: &[&str], sign: char| {
        let lines = lines.get(before..lines.len() - after).unwrap_or_default().iter();
        lines.map(|line| format!("  {sign} {line}")).collect::<Vec<_>>()
    };
    [part(&kept, '-'), part(&made, '+')].concat().join("\n")
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn the_difference_stands_between_what_is_the_same() {
        assert_eq!(difference("a\nb\nc\n", "a\nx\ny\nc"), "  - b\n  + x\n  + y");
        assert_eq!(difference("", "a"), "  + a");
        assert_eq!(difference("a\na", "a"), "  - a");
    }
}
