//! What a crate's contracts were at a commit: built there in a worktree, and kept by commit, so that the second look
//! costs nothing.

use std::fs;
use std::path::Path;

use nodecast::contract::canonical;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::Contracts;
use super::git::Repository;
use super::tree::Tree;
use crate::cli::CrateArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files;
use crate::output;
use crate::target::host::{self, Place};
use crate::target::krate::Krate;

/// How often a host is built whose place others take.
const MOST_TRIES: u32 = 5;

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
    match repository.merge_base()? {
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
    let printed = built(repository, krate, args, commit, &folder).map_err(|failure| {
        failure.hint(format!(
            "this is the build of {short}, which the crate is compared with; --baseline names another revision, a file or \
             a URL"
        ))
    })?;
    files::write(&kept, printed.as_bytes()).map_err(|error| Failure::file(&kept, error))?;
    Ok(Contracts::printed(short, &output::json(&printed)?))
}

/// What the crate's host prints, as the crate was.
fn built(
    repository: &Repository,
    krate: &Krate,
    args: &CrateArgs,
    commit: &str,
    folder: &Path,
) -> Result<String, Failure> {
    let tree = Tree::check_out(repository, commit, folder)?;
    let Some(manifest) = tree.manifest(krate)? else {
        // A crate that was not there yet has promised nothing.
        return Ok("{}".to_owned());
    };
    tree.lock(krate, &manifest)?;
    // It may have had another name, and fewer features.
    let plain = CrateArgs { manifest_path: Some(manifest), package: None, features: Vec::new(), ..args.clone() };
    let old = Krate::find(&plain)?;
    let known = &old.package()?.features;
    let features = args.features.iter().filter(|feature| feature.contains('/') || known.contains_key(*feature));
    let args = CrateArgs { features: features.cloned().collect(), ..plain };
    let old = Krate::find(&args)?;
    let place = Place { name: "nodecast-baseline", target_folder: krate.target_folder() };
    for _ in 0..MOST_TRIES {
        let printed = host::build_in(&old, &args, &[], &place)?.document("contract:all", None)?;
        // Another run may have built another commit in the same place before this one had printed.
        if host::is_of(&old, &place)? {
            return Ok(printed);
        }
    }
    Err(Failure::new(Exit::Conflict, "busy", "other runs build in the same place all the time").hint("try again"))
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
