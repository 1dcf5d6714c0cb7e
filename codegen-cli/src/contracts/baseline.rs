//! What a crate's contracts were at a commit: built there in a worktree, and kept by commit, so that the second look
//! costs nothing.

use std::fs;
use std::path::{Path, PathBuf};

use nodecast::contract::canonical;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::Contracts;
use super::git::Repository;
use crate::cli::CrateArgs;
use crate::failure::Failure;
use crate::files;
use crate::output;
use crate::target::host::{self, Place};
use crate::target::krate::Krate;

/// The contracts at the commit that a revision names; `None` where it names none.
pub(crate) fn at(krate: &Krate, args: &CrateArgs, revision: &str) -> Result<Option<Contracts>, Failure> {
    let Some(repository) = Repository::around(&krate.folder()?) else { return Ok(None) };
    match repository.commit(revision) {
        Some(commit) => of_commit(&repository, krate, args, &commit).map(Some),
        None => Ok(None),
    }
}

/// The contracts where this branch left the main one; `None` where there is no history.
pub(crate) fn merge_base(krate: &Krate, args: &CrateArgs) -> Result<Option<Contracts>, Failure> {
    let Some(repository) = Repository::around(&krate.folder()?) else { return Ok(None) };
    match repository.merge_base() {
        Some(commit) => of_commit(&repository, krate, args, &commit).map(Some),
        None => Ok(None),
    }
}

fn of_commit(repository: &Repository, krate: &Krate, args: &CrateArgs, commit: &str) -> Result<Contracts, Failure> {
    let short = commit.get(..12).unwrap_or(commit);
    let folder = krate.target_folder().join("nodecast-baseline");
    let kept = folder.join(format!("{short}-{}.json", key(krate, args)?));
    if let Ok(text) = fs::read_to_string(&kept)
        && let Ok(printed) = serde_json::from_str::<Value>(&text)
    {
        return Ok(Contracts::printed(short, &printed));
    }
    fs::create_dir_all(&folder).map_err(|error| Failure::file(&folder, error))?;
    let tree = folder.join(short);
    repository.check_out(commit, &tree)?;
    let printed = built(repository, krate, args, &tree);
    repository.remove(&tree);
    let printed = printed.map_err(|failure| {
        failure.hint(format!(
            "this is the build of {short}, which the crate is compared with; --baseline names another revision, a file or \
             a URL"
        ))
    })?;
    files::write(&kept, printed.as_bytes()).map_err(|error| Failure::file(&kept, error))?;
    Ok(Contracts::printed(short, &output::json(&printed)?))
}

/// What the crate's host prints, as it is in this worktree.
fn built(repository: &Repository, krate: &Krate, args: &CrateArgs, tree: &Path) -> Result<String, Failure> {
    let manifest = krate.folder()?.join("Cargo.toml");
    let manifest = fs::canonicalize(&manifest).map_err(|error| Failure::file(&manifest, error))?;
    let below = manifest.strip_prefix(repository.root()).map(PathBuf::from).unwrap_or_default();
    let there = tree.join(below);
    if !there.is_file() {
        // A crate that was not there yet has promised nothing.
        return Ok("{}".to_owned());
    }
    let args = CrateArgs { manifest_path: Some(there), ..args.clone() };
    let old = Krate::find(&args)?;
    let place = Place { name: "nodecast-baseline", target_folder: krate.target_folder() };
    let program = host::build_in(&old, &args, &[], &place)?;
    program.document("contract:all", None)
}

/// What else decides what the contracts are.
fn key(krate: &Krate, args: &CrateArgs) -> Result<String, Failure> {
    let CrateArgs { features, no_default_features, .. } = args;
    let package = krate.package()?.name.to_string();
    let facts = json!([package, krate.folder()?.to_string_lossy(), features, no_default_features]);
    let text = canonical(&facts).unwrap_or_else(|_| facts.to_string());
    let digest = Sha256::digest(text.as_bytes());
    Ok(digest.iter().take(6).fold(String::new(), |digits, byte| format!("{digits}{byte:02x}")))
}
