//! Targets: what a verb looks at, resolved from the command line to something that can be read or connected to.
//!
//! Knows nothing of what is then done with a target.

pub(crate) mod build;
pub(crate) mod document;
pub(crate) mod host;
pub(crate) mod krate;
mod printed;
pub(crate) mod program;
pub(crate) mod remote;

use std::fs;
use std::path::Path;

use crate::cli::{ReadArgs, TargetArgs};
use crate::failure::Failure;
pub(crate) use document::Document;
pub(crate) use program::Program;
pub(crate) use remote::Remote;

/// What a verb looks at.
#[derive(Debug)]
pub(crate) enum Target {
    /// A program built on `nodecast::serve`: a generated host or a user's own binary.
    Program(Program),
    /// A server.
    Remote(Remote),
    /// A command that talks MCP over stdio.
    Command(Vec<String>),
    /// A document that was printed before.
    Document(Document),
}

impl Target {
    /// Resolves what the command line names, building a crate's host if that is what is meant.
    pub(crate) fn resolve(named: Option<&str>, at: &TargetArgs) -> Result<Self, Failure> {
        if let Some(command) = &at.command {
            return split_command(command).map(Self::Command);
        }
        if !at.started.is_empty() {
            return Ok(Self::Command(at.started.clone()));
        }
        match named {
            None => host::build(&at.krate, &at.nodeset).map(Self::Program),
            Some(url) if url.starts_with("http://") || url.starts_with("https://") => {
                Remote::new(url, at.token()?).map(Self::Remote)
            }
            Some(path) => Self::file(Path::new(path), at),
        }
    }

    /// The same where a document may stand in its place.
    pub(crate) fn read(ReadArgs { target, manifest, at }: &ReadArgs) -> Result<Self, Failure> {
        let target = match manifest {
            Some(manifest) => Document::manifest(manifest).map(Self::Document),
            None => Self::resolve(target.as_deref(), at),
        }?;
        match target {
            Self::Document(document) => document.only(&at.nodeset).map(Self::Document),
            Self::Remote(_) | Self::Command(_) if !at.nodeset.is_empty() => {
                Err(Failure::usage("--nodeset chooses among those of a crate, a binary or a document")
                    .hint("a host with several has each below its address: URL/NODESET"))
            }
            target => Ok(target),
        }
    }

    fn file(path: &Path, at: &TargetArgs) -> Result<Self, Failure> {
        let facts = fs::metadata(path).map_err(|error| {
            Failure::file(path, error).hint(
                "a target is a crate (-p CRATE), a binary's path, a URL, a command after --, or a document in a .json file",
            )
        })?;
        if facts.is_dir() {
            return Err(Failure::usage(format!("{} is a folder", path.display()))
                .hint(format!("for the crate in it: --manifest-path {}", path.join("Cargo.toml").display())));
        }
        // What a shell makes of `<(…)` has no name, and is nothing to start.
        let is_json = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
        if is_json || !facts.is_file() {
            return Document::read(path).map(Self::Document);
        }
        // A bare name would be looked up in PATH when it is started.
        let exe = fs::canonicalize(path).map_err(|error| Failure::file(path, error))?;
        let (nodesets, verbose) = (at.nodeset.clone(), at.krate.verbose);
        Ok(Self::Program(Program { exe, nodesets, name: None, kept: None, verbose }))
    }
}

/// Whether a word before the tool's name can only be a target.
pub(crate) fn is_target(word: &str) -> bool {
    word.contains('/') || word.contains('\\')
}

/// Splits a command as a shell would, quotes and backslashes included, expansions left out.
fn split_command(command: &str) -> Result<Vec<String>, Failure> {
    let words =
        shlex::split(command).ok_or_else(|| Failure::usage(format!("--command {command}: a quote is left open")))?;
    if words.is_empty() {
        return Err(Failure::usage("--command is empty"));
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_and_tools_are_told_apart() {
        assert!(is_target("http://127.0.0.1:9200"));
        assert!(is_target("./host"));
        assert!(!is_target("vision__segment"));
    }

    #[test]
    fn commands_are_split_like_a_shell_does() {
        assert_eq!(split_command("a 'b c' \"d\"").unwrap(), ["a", "b c", "d"]);
        assert!(split_command("a 'b").is_err());
        assert!(split_command(" ").is_err());
    }
}
