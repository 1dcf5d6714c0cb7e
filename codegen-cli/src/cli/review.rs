//! The verbs that keep and judge a contract, on the command line.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use super::{CrateArgs, FindingsArgs, JsonArgs, TargetArgs, ToolsArgs};

/// `snapshot`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  codegen-cli snapshot -p vision
  codegen-cli snapshot --review

Writes what changed below the crate's `snapshots` folder, or the one that its Cargo.toml names:

  [package.metadata.nodecast]
  snapshots = \"../snapshots\"

A test compares them: nodecast::testing::snapshots::<MyNodeset>().

Exit codes: 0 done, 2 a file cannot be written, 3 the crate could not be built.")]
pub(crate) struct Snapshot {
    /// Walk through what changed instead, with cargo-insta
    #[arg(long)]
    pub(crate) review: bool,
    /// Nodesets of the crate (default: all)
    #[arg(long, value_name = "NAME", value_delimiter = ',', help_heading = "Target")]
    pub(crate) nodeset: Vec<String>,
    #[command(flatten)]
    pub(crate) format: FindingsArgs,
    #[command(flatten)]
    pub(crate) krate: CrateArgs,
}

/// `diff`.
#[derive(Args, Debug)]
#[command(after_help = "\
A side is a contract in a .json file, a binary's path, a URL, or a revision that git knows, at which
the crate is built. Without TO it is the command after --, else the crate as it lies there; without
FROM, where this branch left the main one.

Examples:
  codegen-cli diff -p vision
  codegen-cli diff -p vision v1.4.0
  codegen-cli diff contract.json http://127.0.0.1:9200 --exit-code
  codegen-cli diff tools.json -- npx -y @modelcontextprotocol/server-everything
  codegen-cli diff -p vision --format markdown >> comment.md

Exit codes: 0 whatever changed; with --exit-code 100 if something breaks.")]
pub(crate) struct Diff {
    /// What was
    #[arg(value_name = "FROM")]
    pub(crate) from: Option<String>,
    /// What is
    #[arg(value_name = "TO", conflicts_with_all = ["package", "manifest_path", "command", "started"])]
    pub(crate) to: Option<String>,
    /// Exit with 100 if something breaks
    #[arg(long)]
    pub(crate) exit_code: bool,
    #[command(flatten)]
    pub(crate) format: FindingsArgs,
    #[command(flatten)]
    pub(crate) at: TargetArgs,
}

/// `check`.
#[derive(Args, Debug)]
#[command(after_help = "\
Fails if snapshots are stale or show what is not declared any more, and if a change since the
baseline breaks: unless the crate's version was raised as semver asks.

Examples:
  codegen-cli check -p vision
  codegen-cli check -p vision --baseline v1.4.0
  codegen-cli check -p vision --format github

Exit codes: 0 neither, 4 stale, 100 breaking (also if both).")]
pub(crate) struct Check {
    /// What to compare with: a revision, a contract in a file, or a URL (default: where this branch left the main one)
    #[arg(long, value_name = "WHAT")]
    pub(crate) baseline: Option<String>,
    /// Let breaking changes pass
    #[arg(long)]
    pub(crate) allow_breaking: bool,
    #[command(flatten)]
    pub(crate) format: FindingsArgs,
    #[command(flatten)]
    pub(crate) at: TargetArgs,
}

/// `lint`.
#[derive(Args, Debug)]
#[command(after_help = "\
Finds all that the official Inspector's --strict finds, and more; on any server's list.

Examples:
  codegen-cli lint -p vision --profile gemini
  codegen-cli lint https://models.example/mcp
  codegen-cli lint -- npx -y @modelcontextprotocol/server-everything
  codegen-cli lint --explain type_array

Exit codes: 0 nothing that a client drops, 6 an error, or with --strict also a warning. What a
profile leaves out is told, and no finding.")]
pub(crate) struct Lint {
    /// Say what a rule is for and what to do about it
    #[arg(long, value_name = "RULE")]
    pub(crate) explain: Option<String>,
    /// Fail on warnings too
    #[arg(long)]
    pub(crate) strict: bool,
    #[command(flatten)]
    pub(crate) format: FindingsArgs,
    #[command(flatten)]
    pub(crate) tools: ToolsArgs,
}

/// `tokens`.
#[derive(Args, Debug)]
#[command(after_help = "\
Counts name, description and schemas of each tool as they are served, in the vocabularies o200k and
cl100k. Built without the feature `tokens`, it estimates by characters.

Examples:
  codegen-cli tokens -p vision
  codegen-cli tokens -p vision --node segment --profile full
  codegen-cli tokens -p vision --baseline main --format markdown
  codegen-cli tokens http://127.0.0.1:9200 --max 4000

Exit codes: 0 within the budget, 7 over it.")]
pub(crate) struct Tokens {
    /// Fail if all tools together cost more than so many tokens of o200k
    #[arg(long, value_name = "TOKENS")]
    pub(crate) max: Option<usize>,
    /// What to compare with: a revision, a contract in a file, or a URL
    #[arg(long, value_name = "WHAT")]
    pub(crate) baseline: Option<String>,
    #[command(flatten)]
    pub(crate) format: FindingsArgs,
    #[command(flatten)]
    pub(crate) tools: ToolsArgs,
}

/// What is made of a contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum What {
    /// A client in TypeScript
    Ts,
    /// A client in Python
    Python,
    /// A client in Rust
    Rust,
    /// `OpenAPI` 3.1
    Openapi,
    /// A page in Markdown
    Docs,
}

impl What {
    /// What it is, in a sentence.
    pub(crate) fn what(self) -> &'static str {
        match self {
            Self::Ts => "a client in TypeScript",
            Self::Python => "a client in Python",
            Self::Rust => "a client in Rust",
            Self::Openapi => "an OpenAPI document",
            Self::Docs => "a page in Markdown",
        }
    }

    /// Its language, as a block of code in Markdown names it.
    pub(crate) fn language(self) -> &'static str {
        match self {
            Self::Ts => "ts",
            Self::Python => "python",
            Self::Rust => "rust",
            Self::Openapi => "json",
            Self::Docs => "markdown",
        }
    }
}

/// `generate`.
#[derive(Args, Debug)]
#[command(after_help = "\
A client is typed and documented as the declarations are: a method a node, the kinds of error as
classes, pictures as bytes, arrays as those of the language.

Examples:
  codegen-cli generate ts -p vision --output clients/vision.ts
  codegen-cli generate python http://127.0.0.1:9200 > vision.py
  codegen-cli generate openapi -p vision --output openapi.json --check

Exit codes: 0 written, or nothing to write; with --check 4 if the file is another.")]
pub(crate) struct Generate {
    /// What to make
    #[arg(value_enum, value_name = "WHAT")]
    pub(crate) what: What,
    /// A binary's path, a URL, or a contract in a .json file
    #[arg(value_name = "TARGET", value_hint = ValueHint::AnyPath, conflicts_with_all = ["package", "manifest_path", "command", "started"])]
    pub(crate) target: Option<String>,
    /// The file (default: stdout)
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// Write nothing; fail if the file is another
    #[arg(long)]
    pub(crate) check: bool,
    #[command(flatten)]
    pub(crate) format: JsonArgs,
    #[command(flatten)]
    pub(crate) at: TargetArgs,
}
