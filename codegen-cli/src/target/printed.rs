//! What a generated host has printed, kept beside it: as long as the program and what it is set to are the same, so is what
//! it prints, and a host of many nodes takes its time to make its tables.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use nodecast::contract::Profile;
use sha2::{Digest, Sha256};

use crate::files;

/// What the variables of a host begin with.
const VARIABLES: &str = "NODECAST_";

/// The documents of one host as it is built and set now.
#[derive(Debug)]
pub(super) struct Printed {
    /// Where the documents of all states are.
    folder: PathBuf,
    /// What the program is and what it is set to, as a digest.
    state: String,
}

impl Printed {
    /// Of this program, below this folder; `None` where it cannot be looked at.
    pub(super) fn of(exe: &Path, folder: &Path, nodesets: &[String], profile: Option<Profile>) -> Option<Self> {
        let facts = fs::metadata(exe).ok()?;
        let written = facts.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        let set = std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with(VARIABLES));
        let mut set: Vec<_> = set.collect();
        set.sort();
        let profile = profile.map(Profile::as_str);
        let facts = format!("{:?}", (facts.len(), written.as_nanos(), nodesets, profile, set));
        let digest = Sha256::digest(facts.as_bytes());
        let state = digest.iter().take(8).fold(String::new(), |digits, byte| format!("{digits}{byte:02x}"));
        Some(Self { folder: folder.to_owned(), state })
    }

    /// What it printed for these words.
    pub(super) fn find(&self, what: &str) -> Option<String> {
        fs::read_to_string(self.file(what)).ok()
    }

    /// Keeps what it printed. That it cannot be kept is nobody's failure: it can be printed again.
    pub(super) fn keep(&self, what: &str, text: &str) {
        let file = self.file(what);
        if fs::create_dir_all(&self.folder).is_ok() && files::write(&file, text.as_bytes()).is_ok() {
            self.forget_others();
        }
    }

    fn file(&self, what: &str) -> PathBuf {
        self.folder.join(format!("{}-{}.json", what.replace(':', "-"), self.state))
    }

    /// What other states printed, but for the newest few, which may be other settings of the same program.
    fn forget_others(&self) {
        const MOST: usize = 12;
        let entries = fs::read_dir(&self.folder).into_iter().flatten().filter_map(Result::ok);
        let mut files: Vec<_> =
            entries.filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path()))).collect();
        files.sort();
        files.reverse();
        for (_, path) in files.into_iter().skip(MOST) {
            let _ = fs::remove_file(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use nodecast::contract::Profile;

    use super::Printed;

    #[test]
    fn what_is_kept_is_that_of_the_same_program_and_settings() {
        let folder = tempfile::tempdir().unwrap();
        let exe = folder.path().join("host");
        fs::write(&exe, "one").unwrap();
        let kept = folder.path().join("printed");
        let of = |profile| Printed::of(&exe, &kept, &[], profile).unwrap();
        assert_eq!(of(None).find("mcp:all"), None);
        of(None).keep("mcp:all", "{}\n");
        assert_eq!(of(None).find("mcp:all").as_deref(), Some("{}\n"));
        assert_eq!(of(None).find("mcp"), None);
        assert_eq!(of(Some(Profile::Full)).find("mcp:all"), None);
        fs::write(&exe, "another").unwrap();
        assert_eq!(of(None).find("mcp:all"), None);
        (0..40).for_each(|nth| of(None).keep(&format!("{nth}"), ""));
        assert_eq!(fs::read_dir(&kept).unwrap().count(), 12);
    }
}
