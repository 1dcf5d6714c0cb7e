//! What verbs have in common: the target that they look at, and how a crate is built for it.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint};
use nodecast::contract::Profile;
use rmcp::model::ProtocolVersion;

use crate::failure::Failure;

/// Which crate, and how it is built.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Crate")]
#[expect(clippy::struct_excessive_bools, reason = "each is one switch of the command line")]
pub(crate) struct CrateArgs {
    /// Library crate of the workspace (default: the crate of the current folder)
    #[arg(short, long, value_name = "CRATE")]
    pub(crate) package: Option<String>,
    /// Path to its Cargo.toml
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath)]
    pub(crate) manifest_path: Option<PathBuf>,
    /// Features of the crate to turn on
    #[arg(short = 'F', long, value_name = "FEATURES", value_delimiter = ',')]
    pub(crate) features: Vec<String>,
    /// Leave the crate's default features off
    #[arg(long)]
    pub(crate) no_default_features: bool,
    /// Build with the release profile
    #[arg(short, long, help_heading = "Build")]
    pub(crate) release: bool,
    /// Build without the network
    #[arg(long, help_heading = "Build")]
    pub(crate) offline: bool,
    /// Show what cargo and the host say while they work
    #[arg(short, long, help_heading = "Build")]
    pub(crate) verbose: bool,
}

/// What a verb looks at.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct TargetArgs {
    #[command(flatten)]
    pub(crate) krate: CrateArgs,
    /// Start an MCP server that talks over stdio, the same as a command after --
    #[arg(long, value_name = "CMD ARG …", conflicts_with_all = ["package", "manifest_path"], help_heading = "Target")]
    pub(crate) command: Option<String>,
    /// Command of an MCP server that talks over stdio
    #[arg(last = true, value_name = "COMMAND", value_hint = ValueHint::CommandWithArguments, conflicts_with_all = ["package", "manifest_path", "command"], help_heading = "Target")]
    pub(crate) started: Vec<String>,
    /// Nodesets of the target to look at (default: all)
    #[arg(long, value_name = "NAME", value_delimiter = ',', help_heading = "Target")]
    pub(crate) nodeset: Vec<String>,
    /// File with the bearer token that a server asks for
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Target")]
    pub(crate) token_file: Option<PathBuf>,
    /// Variable with that token
    #[arg(long, value_name = "VARIABLE", conflicts_with = "token_file", help_heading = "Target")]
    pub(crate) token_env: Option<String>,
    /// Revision of MCP to speak (default: the newest one with sessions that the server knows, else the newest)
    #[arg(long, value_name = "REVISION", value_parser = revision(), help_heading = "Target")]
    pub(crate) protocol: Option<ProtocolVersion>,
}

/// What a verb reads: a target, or a document in its place.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ReadArgs {
    /// A binary's path, a URL, or a contract or manifest in a .json file
    #[arg(value_name = "TARGET", value_hint = ValueHint::AnyPath, conflicts_with_all = ["package", "manifest_path", "command", "started", "manifest"])]
    pub(crate) target: Option<String>,
    /// Read a manifest document, ours or another's; - for stdin
    #[arg(
        long,
        value_name = "FILE",
        value_hint = ValueHint::FilePath,
        conflicts_with_all = ["package", "manifest_path", "command", "started"],
        help_heading = "Target"
    )]
    pub(crate) manifest: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) at: TargetArgs,
}

/// Which of the tools of what it reads, and for whom they are published.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ToolsArgs {
    /// For which clients tools are published (default: as the target publishes them)
    #[arg(long, value_enum)]
    pub(crate) profile: Option<Profile>,
    /// One node only
    #[arg(long, value_name = "NAME")]
    pub(crate) node: Option<String>,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

impl TargetArgs {
    /// The target in words that can be pasted after a verb.
    pub(crate) fn as_written(&self, target: Option<&str>) -> String {
        let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
        let named = [
            ("", target.map(str::to_owned)),
            ("-p ", self.krate.package.clone()),
            ("--manifest-path ", path(&self.krate.manifest_path)),
            ("--command ", self.command.clone().or_else(|| self.started())),
            ("--token-file ", path(&self.token_file)),
            ("--token-env ", self.token_env.clone()),
            ("--protocol ", self.protocol.as_ref().map(ToString::to_string)),
        ];
        let quoted = |word: String| shlex::try_quote(&word).map_or_else(|_| word.clone(), Into::into);
        let words = named.into_iter().filter_map(|(flag, word)| Some(format!("{flag}{}", quoted(word?))));
        words.collect::<Vec<_>>().join(" ")
    }

    /// Whether the target is named by a flag or by a command after `--`, so that no word stands for it.
    pub(crate) fn is_named(&self) -> bool {
        let CrateArgs { package, manifest_path, .. } = &self.krate;
        package.is_some() || manifest_path.is_some() || self.is_command()
    }

    /// Whether the target is a command that is started.
    pub(crate) fn is_command(&self) -> bool {
        self.command.is_some() || !self.started.is_empty()
    }

    /// The bearer token, from where the command line says that it is.
    pub(crate) fn token(&self) -> Result<Option<String>, Failure> {
        let (token, whence) = match (&self.token_file, &self.token_env) {
            (Some(path), _) => {
                let text = std::fs::read_to_string(path).map_err(|error| Failure::file(path, error))?;
                (text, path.display().to_string())
            }
            (None, Some(variable)) => {
                let value = std::env::var(variable)
                    .map_err(|_| Failure::usage(format!("--token-env {variable}: the variable is not set")))?;
                (value, format!("the variable {variable}"))
            }
            (None, None) => return Ok(None),
        };
        let token = token.trim();
        if token.is_empty() || token.contains(|c: char| !c.is_ascii_graphic()) {
            return Err(Failure::usage(format!(
                "{whence} holds no token: one word of printable characters is expected"
            )));
        }
        Ok(Some(token.to_owned()))
    }

    /// The command after `--`, as one word of a shell.
    fn started(&self) -> Option<String> {
        let words = self.started.iter().map(String::as_str);
        (!self.started.is_empty()).then(|| shlex::try_join(words).unwrap_or_else(|_| self.started.join(" ")))
    }
}

/// A revision of the protocol that this client speaks.
fn revision() -> impl TypedValueParser<Value = ProtocolVersion> {
    let known = || ProtocolVersion::KNOWN_VERSIONS.iter();
    PossibleValuesParser::new(known().map(ProtocolVersion::as_str)).try_map(move |text| {
        // The parser before this one refuses what is not known, with the known ones.
        known().find(|known| known.as_str() == text).cloned().ok_or("not a revision of MCP")
    })
}
