//! Serving a live application: by itself, or beside nodesets.

use std::fmt;
use std::process::ExitCode;

use nodecast::call::Stage;
use nodecast::{Error, Host};

use crate::expose::Expose;
use crate::host::GraphHost;
use crate::message::Message;
use crate::surface;

/// What is set about the tools.
#[derive(Clone, Debug, Default)]
pub(crate) struct Options {
    pub(crate) always_load: bool,
    pub(crate) raw_trace_tools: bool,
    #[cfg(feature = "trace")]
    pub(crate) source_root: Option<std::path::PathBuf>,
}

/// A live application that is about to be served.
#[must_use = "nothing is served before `run`"]
pub struct Serve<M, V> {
    name: String,
    host: GraphHost<M, V>,
    options: Options,
}

/// Serves an application under this name: on standard input and output, or over HTTP where the command line says `--port`.
///
/// ```no_run
/// use nodecast_live::prelude::*;
///
/// # fn setup(g: &Graph) -> Result<App, Error> {
/// #     Ok(App::read_only(Exposure::builder(g).build()?))
/// # }
/// # async fn example() -> Result<(), Error> {
/// // #[tokio::main]
/// // async fn main() -> Result<(), Error> {
/// nodecast_live::serve("cart", GraphHost::start(setup)?).run().await
/// // }
/// # }
/// ```
pub fn serve<M: Message, V: Expose>(name: impl Into<String>, host: GraphHost<M, V>) -> Serve<M, V> {
    Serve { name: name.into(), host, options: Options::default() }
}

impl<M: Message, V: Expose> Serve<M, V> {
    /// Marks `dispatch` and `explain` for clients that load tools only when they look for them: these two stand in every
    /// request then, and a change of the messages empties the client's prompt cache.
    pub fn always_load(mut self, always: bool) -> Self {
        self.options.always_load = always;
        self
    }

    /// Adds the tools that give the log itself, as JSON.
    #[cfg(feature = "trace")]
    pub fn raw_trace_tools(mut self, raw: bool) -> Self {
        self.options.raw_trace_tools = raw;
        self
    }

    /// Shows lines of sources below this folder; else below the nearest one with `.git`, at or above the current one. Files
    /// outside of it are never read.
    #[cfg(feature = "trace")]
    pub fn source_root(mut self, root: impl Into<std::path::PathBuf>) -> Self {
        self.options.source_root = Some(root.into());
        self
    }

    /// Adds it to a host of nodesets.
    pub fn mount(self, host: Host) -> Result<Host, Error> {
        let live = self.host.live();
        let made = surface::made(&self.name, live.shared(), std::sync::Arc::new(self.host), &self.options)?;
        Ok(host.made(made))
    }

    /// Serves until the client hangs up, or the process is told to stop; then the application is closed.
    pub async fn run(self) -> Result<(), Error> {
        let mut options = match nodecast::serve::Options::from_command_line(env!("CARGO_PKG_VERSION")) {
            Ok(options) => options,
            Err(0) => return Ok(()),
            Err(_) => return Err(ended("the command line was refused")),
        };
        // Who starts an application to look at it talks to it, unless a port is named.
        options.stdio |= options.port.is_none();
        let host = self.host.clone();
        let served = self.mount(Host::new().options(options))?.run().await;
        host.close().await;
        match served {
            Ok(code) if code == ExitCode::SUCCESS => Ok(()),
            Ok(_) => Err(ended("it did not stop in order; its log says why")),
            Err(error) => Err(ended(&error.to_string())),
        }
    }
}

fn ended(why: &str) -> Error {
    Error::at(Stage::InternalRuntime, "not_served", why)
}

impl<M, V> fmt::Debug for Serve<M, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Serve").field("name", &self.name).field("host", &self.host).finish_non_exhaustive()
    }
}
