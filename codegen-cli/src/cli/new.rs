//! `new` and `init`, on the command line.

use std::path::PathBuf;

use clap::{Args, ValueHint};

/// `new`.
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  codegen-cli new my-nodes && cd my-nodes && codegen-cli snapshot && cargo test")]
pub(crate) struct New {
    /// The folder to make; its name is the crate's
    #[arg(value_name = "PATH", value_hint = ValueHint::DirPath)]
    pub(crate) path: PathBuf,
    /// Folder of the crate `nodecast` to depend on, instead of the published one
    #[arg(long, value_name = "PATH", value_hint = ValueHint::DirPath)]
    pub(crate) nodecast: Option<PathBuf>,
}

/// `init`.
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  mkdir my-nodes && cd my-nodes && codegen-cli init")]
pub(crate) struct Init {
    /// Folder of the crate `nodecast` to depend on, instead of the published one
    #[arg(long, value_name = "PATH", value_hint = ValueHint::DirPath)]
    pub(crate) nodecast: Option<PathBuf>,
}
