//! A commit in a folder of its own, made such that a crate can be built in it as it was.

use std::fs;
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, SystemTime};

use toml_edit::{DocumentMut, Item, TableLike, Value};

use super::git::{self, Repository};
use crate::failure::Failure;
use crate::files;
use crate::target::krate::Krate;

/// What a run left behind that was interrupted so long ago is taken away.
const FORGOTTEN: Duration = Duration::from_secs(24 * 60 * 60);

/// The folder; it is gone when this is.
pub(super) struct Tree<'a> {
    repository: &'a Repository,
    folder: PathBuf,
}

impl<'a> Tree<'a> {
    /// Checks a commit out below a folder, for this process alone: another may look at the same commit.
    pub(super) fn check_out(repository: &'a Repository, commit: &str, below: &Path) -> Result<Self, Failure> {
        fs::create_dir_all(below).map_err(|error| Failure::file(below, error))?;
        forget(repository, below);
        let short = commit.get(..12).unwrap_or(commit);
        let folder = below.join(format!("tree-{short}-{}", std::process::id()));
        repository.check_out(commit, &folder)?;
        let tree = Self { repository, folder };
        tree.reach_outside()?;
        Ok(tree)
    }

    /// The manifest of the crate in it: where the crate lies now, else where one of its name lay, else that of the crate
    /// which lay here under another name.
    pub(super) fn manifest(&self, krate: &Krate) -> Result<Option<PathBuf>, Failure> {
        let name = krate.package()?.name.to_string();
        let folder = krate.folder()?;
        let folder = fs::canonicalize(&folder).map_err(|error| Failure::file(&folder, error))?;
        let below = folder.strip_prefix(self.repository.root()).unwrap_or(Path::new(""));
        let here = self.folder.join(below).join("Cargo.toml");
        let is_named = |path: &PathBuf| package(path).is_some_and(|package| package == name);
        if is_named(&here) {
            return Ok(Some(here));
        }
        let mut all = git::manifests(&self.folder).into_iter().map(|path| self.folder.join(path));
        Ok(all.find(is_named).or_else(|| package(&here).map(|_| here)))
    }

    /// Gives the tree the lock file of the crate as it lies there, where history keeps none: beside the root's manifest, or
    /// beside this one where the root lay elsewhere.
    pub(super) fn lock(&self, krate: &Krate, manifest: &Path) -> Result<(), Failure> {
        let root = fs::canonicalize(krate.root()).map_err(|error| Failure::file(krate.root(), error))?;
        let below = root.strip_prefix(self.repository.root()).unwrap_or(Path::new(""));
        let same = self.folder.join(below).join("Cargo.toml");
        let there = if same.is_file() { same.as_path() } else { manifest }.with_file_name("Cargo.lock");
        let own = root.join("Cargo.lock");
        if own.is_file() && !there.exists() {
            fs::copy(&own, &there).map_err(|error| Failure::file(&there, error))?;
        }
        Ok(())
    }

    /// Paths that lead out of the repository lead elsewhere from here, so they are made absolute.
    fn reach_outside(&self) -> Result<(), Failure> {
        for path in git::manifests(&self.folder) {
            let file = self.folder.join(&path);
            let Ok(text) = fs::read_to_string(&file) else { continue };
            let folder = path.parent().unwrap_or(Path::new(""));
            if let Some(text) = absolute(&text, self.repository.root(), folder) {
                files::write(&file, text.as_bytes()).map_err(|error| Failure::file(&file, error))?;
            }
        }
        Ok(())
    }
}

impl Drop for Tree<'_> {
    fn drop(&mut self) {
        self.repository.remove(&self.folder);
    }
}

fn forget(repository: &Repository, below: &Path) {
    let entries = fs::read_dir(below).into_iter().flatten().filter_map(Result::ok);
    let is_tree = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with("tree-");
    for entry in entries.filter(is_tree) {
        let age = entry.metadata().and_then(|facts| facts.modified()).ok();
        if age.and_then(|then| SystemTime::now().duration_since(then).ok()).is_some_and(|age| age > FORGOTTEN) {
            repository.remove(&entry.path());
        }
    }
}

/// The name of the package that a manifest is of.
fn package(manifest: &Path) -> Option<String> {
    let manifest: toml::Table = fs::read_to_string(manifest).ok()?.parse().ok()?;
    Some(manifest.get("package")?.get("name")?.as_str()?.to_owned())
}

/// A manifest in `folder` below `root` whose dependencies outside of `root` are named by absolute paths; `None` where there
/// are none, or where it is no manifest, which is cargo's to say.
fn absolute(manifest: &str, root: &Path, folder: &Path) -> Option<String> {
    let mut document: DocumentMut = manifest.parse().ok()?;
    let mut changed = false;
    dependencies(document.as_table_mut(), &mut |dependency: &mut dyn TableLike| {
        let Some(path) = dependency.get("path").and_then(Item::as_str) else { return };
        let meant = normal(&root.join(folder).join(path));
        if Path::new(path).is_relative()
            && !meant.starts_with(root)
            && let Some(meant) = meant.to_str()
            && let Some(value) = dependency.get_mut("path").and_then(Item::as_value_mut)
        {
            let decor = value.decor().clone();
            *value = Value::from(meant);
            *value.decor_mut() = decor;
            changed = true;
        }
    });
    changed.then(|| document.to_string())
}

/// Calls `act` with each dependency that is more than a version.
fn dependencies(table: &mut dyn TableLike, act: &mut dyn FnMut(&mut dyn TableLike)) {
    for (key, item) in table.iter_mut() {
        let Some(inner) = item.as_table_like_mut() else { continue };
        match key.get() {
            "dependencies" | "dev-dependencies" | "build-dependencies" => each(inner, act),
            "workspace" => dependencies(inner, act),
            "target" => {
                for (_, platform) in inner.iter_mut() {
                    if let Some(platform) = platform.as_table_like_mut() {
                        dependencies(platform, act);
                    }
                }
            }
            "patch" => {
                for (_, source) in inner.iter_mut() {
                    if let Some(source) = source.as_table_like_mut() {
                        each(source, act);
                    }
                }
            }
            _ => {}
        }
    }
}

fn each(table: &mut dyn TableLike, act: &mut dyn FnMut(&mut dyn TableLike)) {
    for (_, dependency) in table.iter_mut() {
        if let Some(dependency) = dependency.as_table_like_mut() {
            act(dependency);
        }
    }
}

/// A path without `.` and `..`, read as written: what it leads to need not be there.
fn normal(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::absolute;

    #[test]
    fn what_lies_outside_is_named_by_its_whole_path() {
        let manifest = "# Ours.\n[dependencies]\nnodecast = { path = \"../../nodecast/runtime/nodecast\" } # until it is published\n\
                        inner = { path = \"../inner\" }\nserde = \"1\"\n\n[target.'cfg(unix)'.dev-dependencies.outer]\n\
                        path = \"../../outer\"\n\n[patch.crates-io]\npatched = { path = \"../../patched\" }\n";
        let made = absolute(manifest, Path::new("/home/a/repo"), Path::new("nodes")).unwrap();
        assert!(made.contains("nodecast = { path = \"/home/a/nodecast/runtime/nodecast\" } # until"), "{made}");
        assert!(made.contains("inner = { path = \"../inner\" }") && made.starts_with("# Ours.\n"), "{made}");
        assert!(made.contains("path = \"/home/a/outer\"") && made.contains("path = \"/home/a/patched\""), "{made}");
        assert_eq!(
            absolute("[dependencies]\ninner = { path = \"../inner\" }\n", Path::new("/r"), Path::new("a")),
            None
        );
        assert_eq!(absolute("no manifest", Path::new("/r"), Path::new("")), None);
    }
}
