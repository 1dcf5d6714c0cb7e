//! The servers: HTTP (`/health`, `/metrics`, `/manifest`, `/contract`, `/call`, `/containers`), MCP over HTTP and stdio, and their life.
//!
//! A face turns bytes into arguments and a reply into bytes; what happens between is the call path's. Nothing here
//! knows how a node computes, and everything here knows only a catalog, so what is made at run time is served alike.

mod alias;
mod body;
mod call;
mod codec;
mod containers;
mod counted;
mod delivery;
mod edge;
mod error;
mod events;
mod execution;
mod executor;
mod face;
mod front;
mod host;
mod io;
mod kept;
mod lease;
mod lifecycle;
mod lines;
mod listen;
mod log;
mod mcp;
mod metrics;
mod options;
mod panel;
mod parent;
mod plain;
mod print;
mod routes;
mod run;
mod server;
mod settings;
mod stdio;
mod stdout;
mod streams;
mod timer;
#[cfg(feature = "otel")]
mod traces;
mod variables;

use std::process::ExitCode;

pub use host::{Host, HostError};
pub use options::{LogFormat, Options};
#[cfg(feature = "otel")]
pub use traces::{Traces, TracesError};

use crate::call::Nodeset;
use crate::catalog::{Linked, NODESETS};

/// Serves the nodeset `S` as the command line says, until the process is told to stop.
///
/// ```no_run
/// # struct Sam;
/// # async fn example<Sam: nodecast::Nodeset>() -> std::process::ExitCode {
/// // #[tokio::main]
/// // async fn main() -> std::process::ExitCode {
/// nodecast::serve::<Sam>().await
/// // }
/// # }
/// ```
#[must_use = "return it from `main`"]
pub async fn serve<S: Nodeset>() -> ExitCode {
    run::command_line(vec![Linked::of::<S>()]).await
}

/// Serves the nodesets that are linked into the binary, sorted by name; `--nodeset` picks.
///
/// The whole `main` of a generated host, which depends on nothing else: the runtime is made here.
#[must_use = "return it from `main`"]
pub fn serve_linked() -> ExitCode {
    run::with_runtime(run::command_line(NODESETS.iter().copied().collect()))
}
