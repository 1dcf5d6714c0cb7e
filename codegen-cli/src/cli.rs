//! The command line: verbs, flags and their help. Nothing here acts.

use std::path::PathBuf;

use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum, ValueHint};
use clap_complete::Shell;
use nodecast::contract::Profile;

use crate::output::Format;
use crate::serve::HostArgs;

/// Looks at, serves and calls nodesets.
#[derive(Debug, Parser)]
#[command(name = "codegen-cli", version, about, subcommand_required = true, disable_help_flag = true)]
#[command(after_help = "\
A target is a library crate (-p), a binary's path, a URL, --command 'CMD ARG …', or a document in a file.
Without one, the crate of the current folder is meant.

Examples:
  codegen-cli list -p vision
  codegen-cli call -p vision segment image=@coins.png -o out/
  codegen-cli serve -p vision
  codegen-cli inspect http://127.0.0.1:9200

Each verb has examples of its own: codegen-cli inspect --help")]
pub(crate) struct Cli {
    /// Print help
    // The short form is the whole; the long one would spread it over screens.
    #[arg(short, long, global = true, action = ArgAction::HelpShort)]
    help: Option<bool>,
    /// What to do.
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Show what a target publishes: its tools, manifest, schemas, policy or whole contract
    Inspect(Inspect),
    /// Build a crate's host and run it
    Serve(Serve),
    /// List the tools of a target
    List(List),
    /// Call one tool
    Call(Call),
    /// Show what the macros make of a source file or a crate
    Expand(Expand),
    /// Print a completion script for a shell
    Completions(Completions),
}

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
    /// Start an MCP server that talks over stdio
    #[arg(long, value_name = "CMD ARG …", conflicts_with_all = ["package", "manifest_path"], help_heading = "Target")]
    pub(crate) command: Option<String>,
    /// Nodesets of the target to look at (default: all)
    #[arg(long, value_name = "NAME", value_delimiter = ',', help_heading = "Target")]
    pub(crate) nodeset: Vec<String>,
    /// File with the bearer token that a server asks for
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Target")]
    pub(crate) token_file: Option<PathBuf>,
}

/// A document in place of what a target serves.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct DocumentArgs {
    /// Read a manifest document, ours or another's; - for stdin
    #[arg(
        long,
        value_name = "FILE",
        value_hint = ValueHint::FilePath,
        conflicts_with_all = ["package", "manifest_path", "command"],
        help_heading = "Target"
    )]
    pub(crate) manifest: Option<PathBuf>,
}

impl TargetArgs {
    /// The target in words that can be pasted after a verb.
    pub(crate) fn as_written(&self, target: Option<&str>) -> String {
        let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
        let named = [
            ("", target.map(str::to_owned)),
            ("-p ", self.krate.package.clone()),
            ("--manifest-path ", path(&self.krate.manifest_path)),
            ("--command ", self.command.clone()),
            ("--token-file ", path(&self.token_file)),
        ];
        let quoted = |word: String| shlex::try_quote(&word).map_or_else(|_| word.clone(), Into::into);
        let words = named.into_iter().filter_map(|(flag, word)| Some(format!("{flag}{}", quoted(word?))));
        words.collect::<Vec<_>>().join(" ")
    }
}

/// A reading of the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Projection {
    /// Tools, as `tools/list` gives them
    Mcp,
    /// Everything that a client could rely on
    Contract,
    /// The document at `/manifest`
    Manifest,
    /// Input and output schemas
    Schema,
    /// Who may use it at the same time
    Policy,
    /// What a host can set: names, variables, defaults
    Settings,
}

impl Projection {
    /// The word that hosts know.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Mcp => "mcp",
            Self::Contract => "contract",
            Self::Manifest => "manifest",
            Self::Schema => "schema",
            Self::Policy => "policy",
            Self::Settings => "settings",
        }
    }
}

/// `inspect`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  codegen-cli inspect -p vision
  codegen-cli inspect -p vision --projection manifest --format json > manifest.json
  codegen-cli inspect http://127.0.0.1:9200 --node segment
  codegen-cli inspect --command 'npx -y @modelcontextprotocol/server-everything'
  codegen-cli inspect contract.json --profile full
  codegen-cli inspect --manifest manifest.json --profile reference

A crate is built and its host asked what it would serve; no nodeset starts. Only --command starts a server.")]
pub(crate) struct Inspect {
    /// A binary's path, a URL, or a contract or manifest in a .json file
    #[arg(value_name = "TARGET", value_hint = ValueHint::AnyPath, conflicts_with_all = ["package", "manifest_path", "command", "manifest"])]
    pub(crate) target: Option<String>,
    /// What to show
    #[arg(long, value_enum, default_value_t = Projection::Mcp)]
    pub(crate) projection: Projection,
    /// For which clients tools are published (default: as the target publishes them)
    #[arg(long, value_enum)]
    pub(crate) profile: Option<Profile>,
    /// One node only
    #[arg(long, value_name = "NAME")]
    pub(crate) node: Option<String>,
    /// Text on a terminal, JSON otherwise
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,
    #[command(flatten)]
    pub(crate) at: TargetArgs,
    #[command(flatten)]
    pub(crate) document: DocumentArgs,
}

/// `list`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  codegen-cli list -p vision
  codegen-cli list http://127.0.0.1:9200
  codegen-cli list contract.json")]
pub(crate) struct List {
    /// A binary's path or a URL
    #[arg(value_name = "TARGET", value_hint = ValueHint::AnyPath, conflicts_with_all = ["package", "manifest_path", "command", "manifest"])]
    pub(crate) target: Option<String>,
    /// How to write the answer
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) at: TargetArgs,
    #[command(flatten)]
    pub(crate) document: DocumentArgs,
}

/// `call`.
#[derive(Args, Debug)]
#[command(override_usage = "codegen-cli call [OPTIONS] [TARGET] TOOL [ARGUMENT]...")]
#[command(after_help = "\
How arguments are written:
  name=value   a value of the type that the tool asks for: text as it stands,
               numbers, lists and objects as JSON; a list also one by one
  name=@FILE   a file: a picture, text or JSON, whichever the tool asks for
               (name=@@x is the text @x)
  '{…}'        several arguments as one JSON object
  -            the same, from stdin

Examples:
  codegen-cli call -p vision segment image=@coins.png min_area=0.01 -o out/
  codegen-cli call http://127.0.0.1:9200 vision__describe image=@coins.png --format json
  echo '{\"action\":\"up\"}' | codegen-cli call -p gridworld step -

The answer goes to stdout; pictures are saved to files. A tool error exits with 1.")]
pub(crate) struct Call {
    /// A binary's path or a URL, unless -p or --command names the target; then the tool, by its full name or what
    /// follows the last `__`; then its arguments
    #[arg(value_name = "WORD", value_hint = ValueHint::AnyPath)]
    pub(crate) words: Vec<String>,
    /// Folder for pictures (default: the current one)
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) output: Option<PathBuf>,
    /// Give up after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) timeout: Option<u64>,
    /// How to write the answer; JSON is the result as the server gives it
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) at: TargetArgs,
}

/// `expand`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  codegen-cli expand src/lib.rs
  codegen-cli expand -p vision --node Segment")]
pub(crate) struct Expand {
    /// A Rust source file
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["package", "manifest_path"])]
    pub(crate) file: Option<PathBuf>,
    /// Crate of the workspace, all of its source files
    #[arg(short, long, value_name = "CRATE")]
    pub(crate) package: Option<String>,
    /// Path to its Cargo.toml
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath)]
    pub(crate) manifest_path: Option<PathBuf>,
    /// Only what is made of this struct
    #[arg(long, value_name = "NAME")]
    pub(crate) node: Option<String>,
}

/// `completions`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  codegen-cli completions bash > ~/.local/share/bash-completion/completions/codegen-cli
  codegen-cli completions zsh > ~/.zfunc/_codegen-cli")]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

/// `serve`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  codegen-cli serve -p vision
  codegen-cli serve -p vision --port 0 --log json
  codegen-cli serve -p vision --stdio
  claude mcp add vision -- codegen-cli serve -p vision --stdio

Every flag of the host has a variable NODECAST_…, such as NODECAST_PORT; the flag wins.
The first line on stdout is the address. With --stdio, stdout is MCP alone.")]
pub(crate) struct Serve {
    /// A binary built on `nodecast::serve`, instead of a crate
    #[arg(value_name = "BINARY", value_hint = ValueHint::ExecutablePath, conflicts_with_all = ["package", "manifest_path"])]
    pub(crate) binary: Option<String>,
    #[command(flatten)]
    pub(crate) krate: CrateArgs,
    #[command(flatten)]
    pub(crate) host: HostArgs,
}
