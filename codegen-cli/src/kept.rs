//! The snapshots that a crate keeps: where they are, and in what they differ from what its declarations say now.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use nodecast::contract::{SNAPSHOT_FOLDERS, read_snapshot, same_snapshot, snapshot_file};
use serde_json::{Map, Value};

use crate::failure::Failure;
use crate::files;
use crate::target::krate::Krate;

/// The test that compares them, where no file says another.
const TEST: &str = "tests/snapshots.rs";

/// What the snapshots of a crate should be.
#[derive(Debug)]
pub(crate) struct Kept {
    /// Where they are.
    pub(crate) folder: PathBuf,
    /// File below the folder → text.
    pub(crate) files: BTreeMap<String, String>,
    /// The nodesets whose files these are, where others keep theirs in the same folder.
    shared_by: Option<Vec<String>>,
}

/// A file that is not as it should be.
#[derive(Debug)]
pub(crate) struct Change {
    /// Below the folder.
    pub(crate) file: String,
    /// In which way.
    pub(crate) state: State,
}

/// In which way a file is not as it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// It is not there.
    Missing,
    /// It says something else.
    Stale,
    /// What it shows is not declared any more.
    Orphaned,
}

impl Kept {
    /// What a host says that the crate's snapshots are, an object nodeset → file → text; `chosen` are the nodesets that it was
    /// asked for, all if none.
    pub(crate) fn of(krate: &Krate, printed: &Value, chosen: &[String]) -> Result<Self, Failure> {
        let nothing = Map::new();
        let nodesets = printed.as_object().unwrap_or(&nothing);
        let texts = nodesets.values().filter_map(Value::as_object).flatten();
        let files = texts.filter_map(|(file, text)| Some((file.clone(), text.as_str()?.to_owned()))).collect();
        let own = krate.folder()?;
        let named = krate.settings()?.snapshots;
        // With some nodesets left out, the files of the others are nobody's business either.
        let is_shared = named.is_some() || !chosen.is_empty();
        let folder = own.join(named.as_deref().unwrap_or("snapshots"));
        let folder = fs::canonicalize(&folder).unwrap_or(folder);
        Ok(Self { folder, files, shared_by: is_shared.then(|| nodesets.keys().cloned().collect()) })
    }

    /// What differs: changed and missing files in order, then those of nothing.
    pub(crate) fn changes(&self) -> Result<Vec<Change>, Failure> {
        let mut changes = Vec::new();
        for (file, text) in &self.files {
            let path = self.folder.join(file);
            let state = match fs::read_to_string(&path) {
                Ok(kept) => match read_snapshot(&kept) {
                    Some((_, kept)) if same_snapshot(kept, text) => continue,
                    _ => State::Stale,
                },
                Err(error) if error.kind() == ErrorKind::NotFound => State::Missing,
                // What is no text shows no declaration.
                Err(error) if error.kind() == ErrorKind::InvalidData => State::Stale,
                Err(error) => return Err(Failure::file(&path, error)),
            };
            changes.push(Change { file: file.clone(), state });
        }
        for folder in SNAPSHOT_FOLDERS {
            let Ok(entries) = fs::read_dir(self.folder.join(folder)) else { continue };
            let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
            let mut names: Vec<String> = names.filter(|name| self.is_ours(name)).collect();
            names.sort();
            let files = names.into_iter().map(|name| format!("{folder}/{name}"));
            let orphans = files.filter(|file| !self.files.contains_key(file));
            changes.extend(orphans.map(|file| Change { file, state: State::Orphaned }));
        }
        Ok(changes)
    }

    fn is_ours(&self, name: &str) -> bool {
        let Some(stem) = name.strip_suffix(".snap") else { return false };
        let of =
            |nodeset: &String| stem.strip_prefix(nodeset).is_some_and(|rest| rest.is_empty() || rest.starts_with("__"));
        self.shared_by.as_ref().is_none_or(|nodesets| nodesets.iter().any(of))
    }

    /// Makes a file what it should be.
    pub(crate) fn write(&self, change: &Change) -> Result<(), Failure> {
        let path = self.folder.join(&change.file);
        if change.state == State::Orphaned {
            return fs::remove_file(&path).map_err(|error| Failure::file(&path, error));
        }
        self.put(&change.file, &path)
    }

    /// Writes a file that may take another's place, as insta leaves them.
    pub(crate) fn propose(&self, change: &Change) -> Result<(), Failure> {
        self.put(&change.file, &self.folder.join(format!("{}.new", change.file)))
    }

    fn put(&self, file: &str, path: &Path) -> Result<(), Failure> {
        let text = self.files.get(file).map(String::as_str).unwrap_or_default();
        let failure = |error| Failure::file(path, error);
        fs::create_dir_all(path.parent().unwrap_or(&self.folder)).map_err(failure)?;
        let bytes = snapshot_file(&self.source(file), text);
        files::write(path, bytes.as_bytes()).map_err(failure)
    }

    /// The test that the head of a file names: that of the file as it is, else of one beside it, so that a new file has
    /// the bytes that the test itself would write.
    fn source(&self, file: &str) -> String {
        let own = fs::read_to_string(self.folder.join(file)).ok();
        let said = |text: String| read_snapshot(&text).map(|(source, _)| source.to_owned());
        let beside =
            || self.files.keys().find_map(|other| fs::read_to_string(self.folder.join(other)).ok().and_then(said));
        own.and_then(said).or_else(beside).unwrap_or_else(|| TEST.to_owned())
    }

    /// A file as people read it: from the current folder, where it is below that.
    pub(crate) fn shown(&self, file: &str) -> String {
        from_here(&self.folder.join(file))
    }
}

/// A path from the current folder, where it is below that.
pub(crate) fn from_here(path: &Path) -> String {
    let here = std::env::current_dir().and_then(fs::canonicalize).ok();
    let below = here.and_then(|here| path.strip_prefix(here).ok());
    below.unwrap_or(path).display().to_string()
}
