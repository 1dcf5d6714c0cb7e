//! `install`, on the command line.

use clap::{Args, ValueHint};

use super::{CrateArgs, JsonArgs};
use crate::install::{Client, Scope};

/// `install`.
#[derive(Args, Debug)]
#[command(after_help = "\
A crate, a binary or a command is a server that the client starts; a URL is one that runs.

Examples:
  codegen-cli install claude-code -p vision
  codegen-cli install cursor http://127.0.0.1:9200
  codegen-cli install vscode https://models.example --name models --token-env MODELS_TOKEN
  codegen-cli install codex --print target/release/my-host
  codegen-cli install gemini-cli --name everything -- npx -y @modelcontextprotocol/server-everything

What is added goes to stdout. Everything else in the client's file stays: comments, order, other
servers. The file as it was is kept beside it.

Exit codes: 0 done, or it was there; 2 a mistake, or a file that cannot be read; 3 the crate could
not be built; 4 there is another server of that name.")]
pub(crate) struct Install {
    /// The client
    #[arg(value_enum)]
    pub(crate) client: Client,
    /// A binary's path or a URL (default: the crate of the current folder)
    #[arg(value_name = "TARGET", value_hint = ValueHint::AnyPath, conflicts_with_all = ["package", "manifest_path", "started"])]
    pub(crate) target: Option<String>,
    /// Show what belongs into the client's file, and write nothing
    #[arg(long)]
    pub(crate) print: bool,
    /// Name of the server in the client (default: the crate's, the binary's, or what a host at a URL calls itself)
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// For whom
    #[arg(long, value_enum, default_value_t = Scope::User)]
    pub(crate) scope: Scope,
    /// Replace another server of that name
    #[arg(long)]
    pub(crate) force: bool,
    /// A variable for the server, such as `NODECAST_PROFILE=full`; the file holds its value, so no secrets
    #[arg(short, long, value_name = "NAME=VALUE")]
    pub(crate) env: Vec<String>,
    /// Variable in which the client finds the bearer token that a server at a URL asks for
    #[arg(long, value_name = "VARIABLE")]
    pub(crate) token_env: Option<String>,
    /// Nodesets to serve (default: all)
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) nodeset: Vec<String>,
    /// Command of an MCP server that talks over stdio
    #[arg(last = true, value_name = "COMMAND", value_hint = ValueHint::CommandWithArguments, conflicts_with_all = ["package", "manifest_path"])]
    pub(crate) started: Vec<String>,
    #[command(flatten)]
    pub(crate) format: JsonArgs,
    #[command(flatten)]
    pub(crate) krate: CrateArgs,
}
