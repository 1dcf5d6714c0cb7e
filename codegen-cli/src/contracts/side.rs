//! One of two things to be compared, as the command line names it.

use std::path::Path;

use nodecast::contract::Promises;
use serde_json::Value;

use super::{Contracts, Sources, baseline};
use crate::cli::TargetArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::kept::Kept;
use crate::output;
use crate::target::krate::Krate;
use crate::target::{Target, host};

/// One side.
#[derive(Clone, Debug)]
pub(crate) enum Side {
    /// Where this branch left the main one.
    MergeBase,
    /// A file, a URL, a binary, or a revision.
    Named(String),
}

/// The crate as it lies there, built.
pub(crate) struct Here {
    pub(crate) contracts: Contracts,
    /// What the crate's snapshots should be.
    pub(crate) kept: Kept,
    pub(crate) sources: Sources,
    pub(crate) promises: Promises,
}

impl Here {
    /// Builds the crate's host, and reads what it prints.
    pub(crate) fn build(at: &TargetArgs) -> Result<Self, Failure> {
        let krate = Krate::find(&at.krate)?;
        let program = host::build_for(&krate, &at.krate, &at.nodeset)?;
        // All at once: a host that is started makes its tables anew.
        let mut reviews = output::json(&program.document("review:all", None)?)?;
        let mut part = |key: &str| {
            let nodesets = reviews.as_object_mut().into_iter().flatten();
            let parts = nodesets.filter_map(|(name, review)| Some((name.clone(), review.get_mut(key)?.take())));
            Value::Object(parts.collect())
        };
        let contracts = Contracts::printed("the working tree", &part("contract"));
        let kept = Kept::of(&krate, &part("snapshots"), &at.nodeset)?;
        let sources = Sources::read(&part("sources"));
        let promises = Promises { removes_deprecated: krate.settings()?.removes_deprecated };
        Ok(Self { contracts, kept, sources, promises })
    }
}

impl Side {
    /// The contracts of this side; `None` if it is a place in a history that there is none of.
    pub(crate) async fn contracts(&self, at: &TargetArgs) -> Result<Option<Contracts>, Failure> {
        // What was left out on one side has not been removed.
        Ok(self.all(at).await?.map(|contracts| contracts.only(&at.nodeset)))
    }

    async fn all(&self, at: &TargetArgs) -> Result<Option<Contracts>, Failure> {
        let word = match self {
            Self::MergeBase => return baseline::merge_base(&Krate::find(&at.krate)?, &at.krate),
            Self::Named(word) => word,
        };
        let is_url = word.starts_with("http://") || word.starts_with("https://");
        if is_url || Path::new(word).exists() {
            // A command is the other side.
            let at = TargetArgs { command: None, started: Vec::new(), ..at.clone() };
            let target = Target::resolve(Some(word), &at)?;
            return Contracts::of(&target, word).await.map(Some);
        }
        let krate = Krate::find(&at.krate).map_err(|_| unknown(word))?;
        match baseline::at(&krate, &at.krate, word)? {
            Some(contracts) => Ok(Some(contracts)),
            None => Err(unknown(word)),
        }
    }
}

fn unknown(word: &str) -> Failure {
    Failure::new(Exit::Usage, "usage", format!("`{word}` is no file, no URL and no revision"))
        .hint("a side is a contract in a .json file, a binary's path, a URL, or a revision that git knows")
}
