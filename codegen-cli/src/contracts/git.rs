//! What is asked of git.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::exit::Exit;
use crate::failure::Failure;

/// The working tree that a folder is in.
#[derive(Clone, Debug)]
pub(super) struct Repository {
    root: PathBuf,
}

impl Repository {
    /// The one around this folder; `None` where there is none, or no git.
    pub(super) fn around(folder: &Path) -> Option<Self> {
        let said = run(folder, &["rev-parse", "--show-toplevel"]).ok()?;
        Some(Self { root: std::fs::canonicalize(said).ok()? })
    }

    /// Its folder.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// The commit that a revision names.
    pub(super) fn commit(&self, revision: &str) -> Option<String> {
        // A word that begins with a dash is no revision, and git would read it as a flag.
        if revision.starts_with('-') {
            return None;
        }
        run(&self.root, &["rev-parse", "--verify", "--quiet", &format!("{revision}^{{commit}}")]).ok()
    }

    /// Where this branch left the main one; the last commit on that one itself.
    pub(super) fn merge_base(&self) -> Option<String> {
        let head = run(&self.root, &["symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD"]).ok();
        let mains = head.into_iter().chain(["origin/main", "origin/master", "main", "master"].map(str::to_owned));
        let main = mains.into_iter().find(|main| self.commit(main).is_some());
        match main {
            Some(main) => run(&self.root, &["merge-base", "HEAD", &main]).ok().or_else(|| self.commit("HEAD")),
            None => self.commit("HEAD"),
        }
    }

    /// Checks a commit out into a folder of its own.
    pub(super) fn check_out(&self, commit: &str, folder: &Path) -> Result<(), Failure> {
        let place = folder.to_string_lossy();
        // One that was left behind when a build was interrupted.
        let _ = run(&self.root, &["worktree", "remove", "--force", &place]);
        let _ = run(&self.root, &["worktree", "prune"]);
        run(&self.root, &["worktree", "add", "--detach", "--force", &place, commit]).map(drop).map_err(|said| {
            Failure::new(Exit::Unreachable, "git", format!("{commit} cannot be checked out")).quoting(said)
        })
    }

    /// The manifests of cargo that a tree of this repository keeps, as paths below it.
    pub(super) fn manifests(&self, tree: &Path) -> Vec<PathBuf> {
        let listed = run(tree, &["ls-files", "-z", "--", ":(glob)**/Cargo.toml"]).unwrap_or_default();
        listed.split('\0').filter(|path| !path.is_empty()).map(PathBuf::from).collect()
    }

    /// Takes it away again.
    pub(super) fn remove(&self, folder: &Path) {
        let _ = run(&self.root, &["worktree", "remove", "--force", &folder.to_string_lossy()]);
    }
}

/// What git says, or why it does not.
fn run(folder: &Path, arguments: &[&str]) -> Result<String, String> {
    let output =
        Command::new("git").arg("-C").arg(folder).args(arguments).output().map_err(|error| error.to_string())?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
}
