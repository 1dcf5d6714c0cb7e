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

    /// Where this branch left the main one; the last commit on that one itself, and where there is no main one. In a clone
    /// without that part of the history it would be the commit that is checked, in which nothing ever changed.
    pub(super) fn merge_base(&self) -> Result<Option<String>, Failure> {
        let head = run(&self.root, &["symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD"]).ok();
        let mains = head.into_iter().chain(["origin/main", "origin/master", "main", "master"].map(str::to_owned));
        let main = mains.into_iter().find(|main| self.commit(main).is_some());
        let base = main.and_then(|main| run(&self.root, &["merge-base", "HEAD", &main]).ok());
        if base.is_none() && self.is_shallow() {
            let sentence = "the clone is shallow: it does not show where this branch left the main one";
            return Err(Failure::new(Exit::Unreachable, "no_history", sentence).hint(
                "fetch the history (`git fetch --unshallow`; `fetch-depth: 0` of actions/checkout), or name what to compare \
                 with: --baseline",
            ));
        }
        Ok(base.or_else(|| self.commit("HEAD")))
    }

    fn is_shallow(&self) -> bool {
        run(&self.root, &["rev-parse", "--is-shallow-repository"]).is_ok_and(|said| said == "true")
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

    /// Takes it away again.
    pub(super) fn remove(&self, folder: &Path) {
        let _ = run(&self.root, &["worktree", "remove", "--force", &folder.to_string_lossy()]);
    }
}

/// The manifests of cargo that a tree of a repository keeps, as paths below it.
pub(super) fn manifests(tree: &Path) -> Vec<PathBuf> {
    let listed = run(tree, &["ls-files", "-z", "--", ":(glob)**/Cargo.toml"]).unwrap_or_default();
    listed.split('\0').filter(|path| !path.is_empty()).map(PathBuf::from).collect()
}

/// What git says, or why it does not.
fn run(folder: &Path, arguments: &[&str]) -> Result<String, String> {
    let output =
        Command::new("git").arg("-C").arg(folder).args(arguments).output().map_err(|error| error.to_string())?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
}

#[cfg(test)]
mod tests {
    use super::{Repository, run};

    /// As CI systems clone: the commit alone.
    #[test]
    fn a_history_that_is_cut_off_is_no_baseline() {
        let folder = tempfile::tempdir().unwrap();
        let [whole, cut] = ["whole", "cut"].map(|name| folder.path().join(name));
        let git = |at: &std::path::Path, arguments: &[&str]| {
            let as_somebody = ["-c", "user.name=A", "-c", "user.email=a@example.com"];
            run(at, &[&as_somebody[..], arguments].concat()).unwrap()
        };
        for folder in [&whole, &cut] {
            std::fs::create_dir(folder).unwrap();
            git(folder, &["init", "--quiet", "--initial-branch=main"]);
        }
        for message in ["First", "Second"] {
            git(&whole, &["commit", "--quiet", "--allow-empty", "--message", message]);
        }
        git(&whole, &["checkout", "--quiet", "-b", "branch"]);
        let left = git(&whole, &["rev-parse", "HEAD"]);
        git(&whole, &["commit", "--quiet", "--allow-empty", "--message", "Third"]);
        assert_eq!(Repository::around(&whole).unwrap().merge_base().unwrap(), Some(left));

        let url = format!("file://{}", whole.display());
        git(&cut, &["fetch", "--quiet", "--depth=1", &url, "branch"]);
        git(&cut, &["checkout", "--quiet", "--detach", "FETCH_HEAD"]);
        let failure = Repository::around(&cut).unwrap().merge_base().unwrap_err();
        assert!(failure.sentence().contains("shallow"), "{failure:?}");
    }
}
