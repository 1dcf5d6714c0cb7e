//! The command line: verbs, flags and their help. Nothing here acts.

mod format;
mod install;
mod new;
mod review;
mod target;

use std::path::PathBuf;

use clap::builder::PossibleValue;
use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum, ValueHint};
use clap_complete::Shell;

pub(crate) use format::{FindingsArgs, FormatArgs, JsonArgs};
pub(crate) use install::Install;
pub(crate) use new::{Init, New};
pub(crate) use review::{Check, Diff, Generate, Lint, Snapshot, Tokens, What};
pub(crate) use target::{CrateArgs, ReadArgs, TargetArgs, ToolsArgs};

use crate::serve::HostArgs;

/// Looks at, serves and calls nodesets.
#[derive(Debug, Parser)]
#[command(name = "codegen-cli", version, about, subcommand_required = true, disable_help_flag = true)]
#[command(after_help = "\
A target is a library crate (-p), a binary's path, a URL, a command after --, or a document in a
file. Without one, the crate of the current folder is meant.

Examples:
  codegen-cli list -p vision
  codegen-cli call -p vision segment image=@coins.png -o out/
  codegen-cli serve -p vision
  codegen-cli inspect http://127.0.0.1:9200
  codegen-cli list -- npx -y @modelcontextprotocol/server-everything
  codegen-cli check -p vision

Each verb has examples of its own: codegen-cli inspect --help

Exit codes: 0 done, 1 refused (a tool error, no such tool or nodeset), 2 a mistake on the command
line or in a file, 3 the target could not be built, started or reached, or was too late, 4 held by
another client, in conflict, or stale, 5 a host stopped without a clean stop, 6 lint findings,
7 over the token budget, 70 a defect, 100 a breaking change, 130 interrupted.")]
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
    /// Make a crate of nodes, with tests and a CI file
    New(New),
    /// The same in the current folder
    Init(Init),
    /// Show what a target publishes: its tools, manifest, schemas, policy or whole contract
    Inspect(Inspect),
    /// Build a crate's host and run it
    Serve(Serve),
    /// List the tools of a target
    List(List),
    /// Call one tool
    Call(Call),
    /// Keep a client's connection to an application while it is rebuilt
    Dev(Dev),
    /// Add a server to the configuration of a client, such as Claude Code or Cursor
    Install(Install),
    /// Bring the reviewed projections of a crate up to date
    Snapshot(Snapshot),
    /// Fail where snapshots are stale, or where a change breaks whoever relies on the contract
    Check(Check),
    /// Show what changed between two targets, and what that means
    Diff(Diff),
    /// Find what in a target's tools some client cannot take
    Lint(Lint),
    /// Count what a target's tools cost a model that reads them
    Tokens(Tokens),
    /// Make a client or a document of a contract
    Generate(Generate),
    /// Show what the macros make of a source file or a crate
    Expand(Expand),
    /// Print a completion script for a shell
    Completions(Completions),
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
    /// What a live application shows and takes: values, nodes, messages
    Exposure,
}

/// What `inspect` shows: what a target prints, or what `generate` makes of its contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    Printed(Projection),
    Generated(What),
}

impl ValueEnum for Shown {
    fn value_variants<'a>() -> &'a [Self] {
        &[
            Self::Printed(Projection::Mcp),
            Self::Printed(Projection::Contract),
            Self::Printed(Projection::Manifest),
            Self::Printed(Projection::Schema),
            Self::Printed(Projection::Policy),
            Self::Printed(Projection::Settings),
            Self::Printed(Projection::Exposure),
            Self::Generated(What::Openapi),
            Self::Generated(What::Docs),
            Self::Generated(What::Ts),
            Self::Generated(What::Python),
            Self::Generated(What::Rust),
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            Self::Printed(projection) => projection.to_possible_value(),
            Self::Generated(what) => what.to_possible_value(),
        }
    }
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
            Self::Exposure => "exposure",
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
  codegen-cli inspect -- npx -y @modelcontextprotocol/server-everything
  codegen-cli inspect contract.json --profile full
  codegen-cli inspect --manifest manifest.json --profile reference
  codegen-cli inspect -p vision --projection openapi > openapi.json

A crate is built and its host asked what it would serve; no nodeset starts. Only a command after --
starts a server. Without --format, the answer is text on a terminal and JSON otherwise.")]
pub(crate) struct Inspect {
    /// What to show
    #[arg(long, value_enum, default_value_t = Shown::Printed(Projection::Mcp))]
    pub(crate) projection: Shown,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
    #[command(flatten)]
    pub(crate) tools: ToolsArgs,
}

/// `list`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  codegen-cli list -p vision
  codegen-cli list http://127.0.0.1:9200
  codegen-cli list https://models.example --token-env MODELS_TOKEN
  codegen-cli list --json -- npx -y @modelcontextprotocol/server-everything
  codegen-cli list contract.json")]
pub(crate) struct List {
    #[command(flatten)]
    pub(crate) format: FormatArgs,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

/// `call`.
#[derive(Args, Debug)]
#[command(override_usage = "codegen-cli call [OPTIONS] [TARGET] TOOL [ARGUMENT]... [-- COMMAND...]")]
#[command(after_help = "\
How arguments are written:
  name=value   a value of the type that the tool asks for: text as it stands,
               numbers, lists and objects as JSON; a list also one by one
  name=@FILE   a file: a picture, text or JSON, whichever the tool asks for
               (name=@@x is the text @x)
  '{…}'        several arguments as one JSON object; @FILE, the same from a file
  -            the same, from stdin

Examples:
  codegen-cli call -p vision segment image=@coins.png min_area=0.01 -o out/
  codegen-cli call http://127.0.0.1:9200 vision__describe image=@coins.png --json
  codegen-cli call echo message=hello -- npx -y @modelcontextprotocol/server-everything
  echo '{\"action\":\"up\"}' | codegen-cli call -p gridworld step -
  codegen-cli call target/debug/cart explain '{\"node\":\"total\",\"messages\":[…]}'
  codegen-cli call target/debug/cart --list

The answer goes to stdout; pictures and sounds are saved to files. With --json the answer is the
result as the server gives it, and errors are objects on stderr.

Exit codes: 0 done, 1 a tool error or no such tool, 2 a mistake on the command line, 3 not reached
or too late, 4 held by another client, 130 interrupted (the server is told).")]
pub(crate) struct Call {
    /// The TARGET is a binary's path or a URL, unless -p or a command after -- names it; then the TOOL, by its full name
    /// or what follows the last `__`; then its arguments
    #[arg(value_name = "ARGUMENT", value_hint = ValueHint::AnyPath)]
    pub(crate) words: Vec<String>,
    /// Folder for pictures and sounds (default: the current one)
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) output: Option<PathBuf>,
    /// Show the server's instructions, and each tool with the names of its arguments, instead of calling one
    #[arg(long)]
    pub(crate) list: bool,
    /// Era of MCP to speak: with sessions, or without (default: as for --protocol)
    #[arg(long, value_enum, conflicts_with = "protocol")]
    pub(crate) era: Option<Era>,
    /// Give up after so many seconds (default: 60 where a binary is started, else none)
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) timeout: Option<u64>,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
    #[command(flatten)]
    pub(crate) at: TargetArgs,
}

/// An era of MCP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Era {
    /// Up to 2025-11-25, with sessions
    Older,
    /// 2026-07-28, without
    Newer,
}

/// `dev`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  codegen-cli dev target/debug/cart
  codegen-cli dev target/debug/cart --no-replay -- --log json
  claude mcp add cart -- codegen-cli dev target/debug/cart

A client talks to it over stdio, as it would to the application. Before each call of a tool the
binary is looked at: a new build takes the place of the old one, and is sent the messages that the
old one had accepted. A build that does not start leaves the old one serving.

Exit codes: 0 the client has hung up, 2 a mistake on the command line, 3 the application does not
start.")]
pub(crate) struct Dev {
    /// The binary of the application, where the build puts it
    #[arg(value_name = "BINARY", value_hint = ValueHint::ExecutablePath)]
    pub(crate) binary: PathBuf,
    /// Let a new build start empty
    #[arg(long)]
    pub(crate) no_replay: bool,
    /// Arguments of the application
    #[arg(last = true, value_name = "ARGS")]
    pub(crate) arguments: Vec<String>,
}

/// `expand`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  codegen-cli expand src/lib.rs
  codegen-cli expand -p vision --node Segment

Exit codes: 0 done, 1 a declaration has mistakes, or there is none, 2 a mistake on the command
line.")]
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
    #[command(flatten)]
    pub(crate) format: JsonArgs,
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

Every flag of the host but --set has a variable NODECAST_…, such as NODECAST_PORT; the flag wins.
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

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, ValueEnum};

    use super::{Cli, Projection, Shown, What};

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }

    /// `contract.md` 3: every `--help` has examples, and they are of this verb.
    #[test]
    fn every_verb_has_examples() {
        for verb in Cli::command().get_subcommands() {
            let after = verb.get_after_help().map(ToString::to_string).unwrap_or_default();
            let shown = format!("codegen-cli {}", verb.get_name());
            assert!(after.contains("Example") && after.contains(&shown), "{shown}: {after}");
            // It is laid out by hand, for a terminal of a hundred columns.
            assert!(after.lines().all(|line| line.chars().count() <= 100), "{shown}: {after}");
        }
    }

    #[test]
    fn whatever_is_printed_or_generated_can_be_shown() {
        let printed = Projection::value_variants().iter().map(|projection| Shown::Printed(*projection));
        let all: Vec<Shown> =
            printed.chain(What::value_variants().iter().map(|what| Shown::Generated(*what))).collect();
        assert!(all.iter().all(|one| Shown::value_variants().contains(one)));
        assert_eq!(all.len(), Shown::value_variants().len());
    }
}
