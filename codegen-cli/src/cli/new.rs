//! `new` and `init`, on the command line.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::JsonArgs;

/// `new`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  codegen-cli new my-nodes && cd my-nodes && codegen-cli snapshot && cargo test
  codegen-cli new my-nodes --nodecast ../nodecast/runtime/nodecast

Exit codes: 0 done, 2 the name is none of a crate, 4 there is something already.")]
pub(crate) struct New {
    /// The folder to make; its name is the crate's
    #[arg(value_name = "PATH", value_hint = ValueHint::DirPath)]
    pub(crate) path: PathBuf,
    /// Folder of the crate `nodecast` to depend on, instead of the published one
    #[arg(long, value_name = "PATH", value_hint = ValueHint::DirPath)]
    pub(crate) nodecast: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) format: JsonArgs,
}

/// `init`.
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  mkdir my-nodes && cd my-nodes && codegen-cli init

Exit codes: 0 done, 2 the folder's name is none of a crate, 4 a file is there already.")]
pub(crate) struct Init {
    /// Folder of the crate `nodecast` to depend on, instead of the published one
    #[arg(long, value_name = "PATH", value_hint = ValueHint::DirPath)]
    pub(crate) nodecast: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) format: JsonArgs,
}
