//! A host: nodesets with their settings, as a router for another application or as a server of its own.

use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;

use axum::Router;
use tokio_util::sync::CancellationToken;

use super::edge::Edge;
use super::events::Events;
use super::executor::Executor;
use super::face::{self, Face};
use super::front::Front;
use super::log::Log;
use super::mcp::{self, Filter, Gate, Published, Transport};
use super::options::{DEFAULT_PORT, Options};
use super::server::{Hosted, Server};
use super::{routes, run};
use crate::Error;
use crate::call::{End, Nodeset};
use crate::catalog::{Linked, Made};
use crate::contract::Profile;
use crate::wire::{self, Value, WireError};

/// Nodesets to serve together.
///
/// ```no_run
/// # async fn example<Sam: nodecast::Nodeset>() -> Result<(), Box<dyn std::error::Error>> {
/// // Mounted into an application that has a server of its own:
/// let nodes = nodecast::Host::new().nodeset::<Sam>(()).into_router().await?;
/// let app = axum::Router::new().nest("/nodes", nodes);
/// # let _ = app;
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Default)]
#[must_use = "a host serves nothing before `serve` or `into_router`"]
pub struct Host {
    nodesets: Vec<(Linked, Result<Value, WireError>)>,
    made: Vec<Made>,
    options: Options,
    /// Where events go, when the log already sends its own there.
    events: Option<Arc<Events>>,
    /// Why MCP is not to be built; only a test says so.
    broken_mcp: Option<String>,
}

/// Why a host does not serve.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// An option makes no sense.
    #[error("{0}")]
    Usage(String),
    /// There is nothing of that name to serve.
    #[error("{0}")]
    NoNodeset(String),
    /// A declaration cannot be served.
    #[error("nodeset `{nodeset}`: {error}")]
    Declaration {
        /// Which one.
        nodeset: String,
        /// Why.
        error: Error,
    },
    /// A nodeset cannot be set to that.
    #[error("settings of `{nodeset}`: {}", sentences(error))]
    Settings {
        /// Which one.
        nodeset: String,
        /// Why.
        error: Error,
    },
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {error}; {}", way_out(error))]
    Bind {
        /// Which one.
        address: SocketAddr,
        /// Why.
        error: std::io::Error,
    },
    /// A nodeset did not start.
    #[error("nodeset `{nodeset}` did not start: {error}{}", cause(error))]
    Start {
        /// Which one.
        nodeset: String,
        /// Why.
        error: Error,
    },
    /// Standard output cannot be kept for the protocol that is spoken on it.
    #[error("standard output cannot be kept for MCP: {0}; serve over HTTP, or start it with its standard output open")]
    Stdout(std::io::Error),
    /// The system gives no threads or no events.
    #[error("no asynchronous runtime: {0}")]
    Runtime(std::io::Error),
}

impl HostError {
    /// The exit code of a process that ends so (`contract.md` 3).
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::NoNodeset(_) => 1,
            Self::Bind { error, .. } if error.kind() == std::io::ErrorKind::AddrInUse => 4,
            Self::Usage(_) | Self::Settings { .. } | Self::Bind { .. } => 2,
            Self::Declaration { .. } | Self::Start { .. } | Self::Stdout(_) | Self::Runtime(_) => 3,
        }
    }
}

impl Host {
    /// A host of nothing yet, with the options of an empty command line.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a nodeset with its settings; `()` for none.
    pub fn nodeset<S: Nodeset>(mut self, settings: impl serde::Serialize) -> Self {
        self.nodesets.push((Linked::of::<S>(), wire::to_value(&settings)));
        self
    }

    /// Adds a catalog that was made at run time, with what runs it.
    pub fn made(mut self, made: Made) -> Self {
        self.made.push(made);
        self
    }

    pub(super) fn linked(mut self, nodeset: Linked, settings: Value) -> Self {
        self.nodesets.push((nodeset, Ok(settings)));
        self
    }

    /// Sets how it serves; the options about arguments and settings are for command lines and change nothing here.
    pub fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// Tells the executor of events by this queue, which the log has too.
    pub(super) fn events(mut self, events: Option<Arc<Events>>) -> Self {
        self.events = events;
        self
    }

    /// Lets the building of MCP fail for this reason, so that a test sees what is left.
    #[cfg(feature = "testing")]
    pub fn break_mcp(mut self, reason: &str) -> Self {
        self.broken_mcp = Some(reason.to_owned());
        self
    }

    /// Starts the nodesets and gives their routes, to be mounted into another application.
    ///
    /// Host and Origin are checked here too, so name the application's own host with [`Options::allow_host`].
    pub async fn into_router(self) -> Result<Router, HostError> {
        let built = self.build()?;
        let router = built.router(&CancellationToken::new());
        built.start().await?;
        built.server.life.ready();
        Ok(router)
    }

    /// Serves until the process is told to stop, and gives its exit code.
    #[must_use = "return it from `main`"]
    pub async fn serve(self) -> ExitCode {
        let nodesets: Vec<_> = self.nodesets.iter().map(|(linked, _)| *linked).collect();
        if let Some(code) = run::print(&nodesets) {
            return code;
        }
        self.run().await.unwrap_or_else(|error| run::report(&error))
    }

    /// The same, where the program itself reports why it does not serve.
    pub async fn run(self) -> Result<ExitCode, HostError> {
        let nodesets: Vec<_> = self.nodesets.iter().map(|(linked, _)| *linked).collect();
        let service = run::service(&nodesets, &self.options);
        let events = events(&self.options).map_err(HostError::Usage)?;
        let log = Log::begin(&self.options, &service, events.clone());
        run::host(self.events(events), log).await
    }

    /// Reads the declarations and checks the options; nothing starts.
    pub(super) fn build(self) -> Result<Built, HostError> {
        let Self { nodesets, made, mut options, events, broken_mcp } = self;
        if options.reference {
            options.profile = Profile::Reference;
        }
        if nodesets.is_empty() && made.is_empty() {
            return Err(HostError::NoNodeset("there is no nodeset to serve".to_owned()));
        }
        options.check().map_err(HostError::Usage)?;
        wire::set_max_image_pixels(options.max_image_pixels);
        let edge = Arc::new(Edge::new(&options).map_err(HostError::Usage)?);
        let mut hosted = Vec::with_capacity(nodesets.len() + made.len());
        for (linked, settings) in nodesets {
            let of = |error| HostError::Declaration { nodeset: linked.name.to_owned(), error };
            let settings = settings.map_err(|error| of(Error::refused(vec![error.into()])))?;
            let known = (linked.settings)().map_err(of)?;
            let refused = |error| HostError::Settings { nodeset: linked.name.to_owned(), error };
            known.check(&settings).map_err(refused)?;
            hosted.push(Arc::new(Hosted::new(linked, settings, &options).map_err(of)?));
        }
        for made in made {
            let nodeset = made.catalog.name.to_string();
            let hosted_here = Hosted::made(made, &options);
            hosted.push(Arc::new(hosted_here.map_err(|error| HostError::Declaration { nodeset, error })?));
        }
        face::check(&hosted).map_err(HostError::Usage)?;
        let filter = Filter::new(&options, &hosted).map_err(HostError::Usage)?;
        let executor = executor(&options).map_err(HostError::Usage)?;
        let events = events.or_else(|| executor.clone().map(|executor| Arc::new(Events::new(executor))));
        if let Some(events) = &events {
            tokio::spawn(events.clone().run());
        }
        Ok(Built { server: Arc::new(Server::new(hosted, options, executor, events)), edge, filter, broken_mcp })
    }
}

/// A host that is checked and not started.
pub(super) struct Built {
    pub(super) server: Arc<Server>,
    edge: Arc<Edge>,
    pub(super) filter: Filter,
    broken_mcp: Option<String>,
}

impl Built {
    /// Where it listens; refuses to be open to others without a word about it.
    pub(super) fn address(&self) -> Result<SocketAddr, HostError> {
        let options = &self.server.options;
        if !options.host.is_loopback() && !self.edge.asks_for_token() && !options.unsafe_no_auth {
            return Err(HostError::Usage(format!(
                "--host {}: others can reach this address; give a --token-file, or say --unsafe-no-auth",
                options.host
            )));
        }
        Ok(SocketAddr::new(options.host, options.port.unwrap_or(DEFAULT_PORT)))
    }

    /// The routes, for a server of somebody else's; `close` ends their streams and sessions.
    pub(super) fn router(&self, close: &CancellationToken) -> Router {
        let (root, named) = self.faces(close);
        routes::router(root, named, self.edge.clone())
    }

    /// What a listener of ours asks; `close` as for the routes.
    pub(super) fn front(&self, close: &CancellationToken) -> Front {
        let (root, named) = self.faces(close);
        let routes = routes::router(root.clone(), named.clone(), self.edge.clone());
        Front::new(root, named, self.edge.clone(), routes)
    }

    /// The face at the root, and under their names those of several nodesets.
    fn faces(&self, close: &CancellationToken) -> (Arc<Face>, Vec<(String, Arc<Face>)>) {
        let server = &self.server;
        let one = |hosted: &Arc<Hosted>| {
            let mcp = self.mcp(std::slice::from_ref(hosted), hosted.name(), close);
            Arc::new(Face::of_one(server, hosted, mcp))
        };
        match server.nodesets.as_slice() {
            [only] => (one(only), Vec::new()),
            several => {
                let open: Vec<_> = several.iter().filter(|hosted| hosted.lease.is_none()).cloned().collect();
                let name = server.options.name.clone().unwrap_or_else(program);
                let mcp = self.mcp(&open, &name, close);
                let named = several.iter().map(|hosted| (hosted.name().to_owned(), one(hosted))).collect();
                (Arc::new(Face::of_all(server, name, mcp)), named)
            }
        }
    }

    fn mcp(&self, nodesets: &[Arc<Hosted>], name: &str, close: &CancellationToken) -> mcp::State {
        let exclusive = nodesets.iter().find(|hosted| hosted.lease.is_some());
        let served = self.served(nodesets, name, exclusive, close);
        if let (mcp::State::Off | mcp::State::Failed(_), Some(leases)) =
            (&served, exclusive.and_then(|hosted| hosted.lease.clone()))
        {
            // `/call` may be gated without MCP, whose gate would see to it.
            let close = close.clone();
            tokio::spawn(close.run_until_cancelled_owned(async move {
                loop {
                    leases.reaped().await;
                }
            }));
        }
        served
    }

    fn served(
        &self,
        nodesets: &[Arc<Hosted>],
        name: &str,
        exclusive: Option<&Arc<Hosted>>,
        close: &CancellationToken,
    ) -> mcp::State {
        if self.server.options.no_mcp {
            return mcp::State::Off;
        }
        let published = match &self.broken_mcp {
            Some(reason) => Err(reason.clone()),
            None => Published::new(&self.server, nodesets, name, Transport::Http, &self.filter),
        };
        match published {
            Ok(published) => mcp::State::Up(Box::new(Gate::new(Arc::new(published), exclusive, close))),
            Err(reason) => {
                // Additive: the other routes serve whether or not this one can.
                tracing::error!(name, reason, "no MCP");
                mcp::State::Failed(reason)
            }
        }
    }

    /// Starts the nodesets in order; a failure stops those that had started.
    pub(super) async fn start(&self) -> Result<(), HostError> {
        for hosted in &self.server.nodesets {
            if let Err(error) = hosted.start().await {
                self.stop().await;
                return Err(HostError::Start { nodeset: hosted.name().to_owned(), error });
            }
        }
        Ok(())
    }

    /// Stops what has started.
    pub(super) async fn stop(&self) -> End {
        let all = self.server.nodesets.iter().map(|hosted| hosted.stop());
        let all = futures_util::future::join_all(all).await;
        if all.contains(&End::Abandoned) { End::Abandoned } else { End::Stopped }
    }
}

/// Where the executor listens, if there is one.
fn executor(options: &Options) -> Result<Option<Executor>, String> {
    let read = |url: &String| Executor::parse(url).map_err(|problem| format!("--executor-url: {problem}"));
    options.executor_url.as_ref().map(read).transpose()
}

/// Where what goes wrong is told, if there is an executor.
pub(super) fn events(options: &Options) -> Result<Option<Arc<Events>>, String> {
    Ok(executor(options)?.map(|executor| Arc::new(Events::new(executor))))
}

/// What the whole is called where nobody says: the program's own name.
pub(super) fn program() -> String {
    let path = std::env::args_os().next().map(std::path::PathBuf::from);
    let stem = path.as_deref().and_then(std::path::Path::file_stem);
    stem.map_or_else(|| "nodecast".to_owned(), |stem| stem.to_string_lossy().into_owned())
}

/// All that is wrong, not the first alone.
fn sentences(error: &Error) -> String {
    error.findings().iter().map(|finding| finding.detail.as_str()).collect::<Vec<_>>().join("; ")
}

/// What to do about an address that cannot be listened on.
fn way_out(error: &std::io::Error) -> &'static str {
    match error.kind() {
        std::io::ErrorKind::AddrInUse => "stop what listens there, or name another with --port (0 takes a free one)",
        std::io::ErrorKind::PermissionDenied => "ports below 1024 are the system's; name another with --port",
        _ => "name an address of this machine with --host, such as 127.0.0.1 or 0.0.0.0",
    }
}

fn cause(error: &Error) -> String {
    // Whoever starts a host may see its causes; a caller never does.
    error.cause().map(|cause| format!(" ({cause})")).unwrap_or_default()
}
