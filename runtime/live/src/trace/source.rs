//! The line of the source that made a node, where it can be told without doubt.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::panic::Location;
use std::path::{Path, PathBuf};

use crate::lines::cut;

/// So many characters of a line are shown.
const LONGEST: usize = 120;
/// A source tree of more folders and files is none that somebody reads.
const MOST: usize = 50_000;
/// Larger files are not read for a line.
const LARGEST: u64 = 4 << 20;

/// The sources below one folder; nothing outside of it is read.
#[derive(Debug)]
pub(super) struct Sources {
    root: Option<PathBuf>,
    /// Files by name, found when they are first asked for.
    files: Option<BTreeMap<String, Vec<PathBuf>>>,
    /// The lines of those that were read.
    read: BTreeMap<PathBuf, Vec<String>>,
}

impl Sources {
    /// Below `root`, else below the nearest folder with `.git` at or above the current one.
    pub(super) fn new(root: Option<PathBuf>) -> Self {
        let found = || {
            let here = std::env::current_dir().ok()?;
            here.ancestors().find(|folder| folder.join(".git").exists()).map(Path::to_owned)
        };
        let root = root.or_else(found).and_then(|root| fs::canonicalize(root).ok());
        Self { root, files: None, read: BTreeMap::new() }
    }

    /// The text of a line, where exactly one file below the root has that name.
    pub(super) fn line(&mut self, site: &Location<'_>, named: &str) -> Option<String> {
        let root = self.root.clone()?;
        let files = self.files.get_or_insert_with(|| index(&root));
        let name = Path::new(named).file_name()?.to_str()?;
        let mut fitting = files.get(name)?.iter().filter(|file| file.ends_with(named));
        let (file, None) = (fitting.next()?.clone(), fitting.next()) else { return None };
        let lines = self.read.entry(file.clone()).or_insert_with(|| read(&file));
        let line = lines.get(usize::try_from(site.line()).ok()?.checked_sub(1)?)?.trim();
        (!line.is_empty()).then(|| cut(line, LONGEST))
    }
}

fn read(file: &Path) -> Vec<String> {
    let is_small = fs::symlink_metadata(file).is_ok_and(|facts| facts.is_file() && facts.len() <= LARGEST);
    if !is_small {
        return Vec::new();
    }
    fs::read_to_string(file).map(|text| text.lines().map(str::to_owned).collect()).unwrap_or_default()
}

/// The Rust files below a folder, by name; links are not followed, since they may lead out of it.
fn index(root: &Path) -> BTreeMap<String, Vec<PathBuf>> {
    let mut files: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    let (mut folders, mut seen) = (vec![root.to_owned()], 0_usize);
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            seen += 1;
            if seen > MOST {
                return BTreeMap::new();
            }
            let (Ok(kind), Ok(name)) = (entry.file_type(), entry.file_name().into_string()) else { continue };
            if kind.is_dir() && !name.starts_with('.') && name != "target" && name != "node_modules" {
                folders.push(entry.path());
            } else if kind.is_file() && entry.path().extension().is_some_and(|extension| extension == "rs") {
                files.entry(name).or_default().push(entry.path());
            }
        }
    }
    files
}

/// How the places of these nodes are written: the file's name, with its folder where two of them share one.
pub(super) fn short<'a>(file: &'a str, all: &BTreeSet<&str>) -> &'a str {
    let name = |file: &str| Path::new(file).file_name().map(|name| name.to_string_lossy().into_owned());
    let own = name(file);
    let is_shared = all.iter().any(|other| *other != file && name(other) == own);
    let mut parts: Vec<usize> =
        file.char_indices().filter(|(_, letter)| matches!(letter, '/' | '\\')).map(|(at, _)| at + 1).collect();
    let last = parts.pop().unwrap_or(0);
    let start = if is_shared { parts.pop().unwrap_or(0) } else { last };
    file.get(start..).unwrap_or(file)
}
