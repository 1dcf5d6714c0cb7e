//! How a connection is opened: the transport, and the era that the server speaks.

use std::process::Stdio;
use std::sync::{Arc, Mutex};

use rmcp::RoleClient;
use rmcp::model::{ErrorCode, ProtocolVersion};
use rmcp::service::{ClientInitializeError, ClientLifecycleMode, ClientServiceExt, RunningService};
use rmcp::transport::streamable_http_client::{
    StreamableHttpClientTransport, StreamableHttpClientTransportConfig, StreamableHttpError,
};
use rmcp::transport::{DynamicTransportError, TokioChildProcess};
use tokio::io::AsyncReadExt;
use tokio::process::{ChildStderr, Command};

use super::progress::Progress;
use super::{Client, refusal};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::target::program::is_ours;
use crate::target::{Remote, Target, remote};

/// The end of what a server said is what explains why it ended.
const KEPT: usize = 16 * 1024;

impl Client {
    /// Connects to the target; a program or a command is started for it.
    ///
    /// Without a revision to speak, the era with sessions comes first: there a session is the lease of an exclusive
    /// nodeset, so that a single call needs nothing else.
    pub(crate) async fn connect(target: &Target, revision: Option<&ProtocolVersion>) -> Result<Self, Failure> {
        let eras = Eras(revision.cloned());
        match target {
            Target::Remote(at) => remote::once_started(|| over_http(at, &eras)).await,
            Target::Program(program) => {
                // Any other server talks on its standard input and output as it is.
                let takes_stdio = program.name.is_some() || is_ours(&program.exe);
                let start = || {
                    let mut command = program.command();
                    if takes_stdio {
                        command.arg("--stdio");
                    }
                    Command::from(command)
                };
                over_pipes(start, program.verbose, &eras).await
            }
            Target::Command(words) => {
                let start = || {
                    let (program, arguments) =
                        words.split_first().map_or(("", words.as_slice()), |(p, a)| (p.as_str(), a));
                    let mut command = Command::new(program);
                    command.args(arguments);
                    command
                };
                over_pipes(start, false, &eras).await
            }
            Target::Document(document) => {
                Err(Failure::usage(format!("{} is a document, not a server", document.name())))
            }
        }
    }
}

/// Tries the usual path and the URL itself, each in every era. What the first attempt was answered is the one to talk
/// about when none succeeds.
async fn over_http(at: &Remote, eras: &Eras) -> Result<Client, Failure> {
    let (usual, given) = (at.mcp(), at.given().to_owned());
    let places = if usual == given { vec![usual] } else { vec![usual, given] };
    let mut first = None;
    for place in places {
        for (handler, era) in eras.all() {
            match handler.serve_with_lifecycle(open(at, place.clone()), era).await {
                Ok(service) => return Ok(Client { service, said: None }),
                Err(error) => {
                    let is_over = !is_misunderstood(&error);
                    let error = first.get_or_insert(error);
                    if is_over {
                        return Err(not_connected(error, at.base()));
                    }
                }
            }
        }
    }
    Err(first.map_or_else(|| ended(at.base()), |error| not_connected(&error, at.base())))
}

fn open(at: &Remote, uri: String) -> StreamableHttpClientTransport<reqwest::Client> {
    let mut config = StreamableHttpClientTransportConfig::with_uri(uri)
        // Pictures are large, and the server is the user's choice.
        .max_json_response_size(usize::MAX)
        .max_sse_event_size(usize::MAX);
    if let Some(token) = &at.token {
        config = config.auth_header(token);
    }
    StreamableHttpClientTransport::from_config(config)
}

async fn over_pipes(start: impl Fn() -> Command, verbose: bool, eras: &Eras) -> Result<Client, Failure> {
    let mut first = None;
    for era in eras.all() {
        match handshake_pipes(start(), verbose, era).await? {
            (Ok(service), said) => return Ok(Client { service, said }),
            (Err(error), said) => {
                let is_over = !is_misunderstood(&error);
                first.get_or_insert((error, said));
                if is_over {
                    break;
                }
            }
        }
    }
    let Some((error, said)) = first else { return Err(ended("the server")) };
    let said = match said {
        Some(said) => said.last_words().await,
        None => String::new(),
    };
    Err(not_connected(&error, "the server").quoting(said))
}

type Handshake = (Result<RunningService<RoleClient, Progress>, ClientInitializeError>, Option<Said>);

async fn handshake_pipes(
    mut command: Command,
    verbose: bool,
    (handler, era): (Progress, ClientLifecycleMode),
) -> Result<Handshake, Failure> {
    // Ctrl-C is ours to hand on as a cancelled call; it must not reach the server by itself.
    #[cfg(unix)]
    command.process_group(0);
    // rmcp kills in a task, for which there is no time left where we end at once.
    command.kill_on_drop(true);
    let name = command.as_std().get_program().to_string_lossy().into_owned();
    let stderr = if verbose { Stdio::inherit() } else { Stdio::piped() };
    let (transport, stderr) = TokioChildProcess::builder(command).stderr(stderr).spawn().map_err(|error| {
        Failure::new(Exit::Unreachable, "unreachable", format!("{name} cannot be started: {error}"))
    })?;
    let said = stderr.map(Said::listen);
    Ok((handler.serve_with_lifecycle(transport, era).await, said))
}

/// The eras to try: both, or the one of a revision that the user named.
struct Eras(Option<ProtocolVersion>);

impl Eras {
    fn all(&self) -> Vec<(Progress, ClientLifecycleMode)> {
        let both = [ProtocolVersion::LATEST_WITH_INITIALIZE, ProtocolVersion::LATEST];
        let revisions = self.0.clone().map_or_else(|| both.to_vec(), |one| vec![one]);
        revisions.into_iter().map(|revision| (Progress::new(revision.clone()), era(revision))).collect()
    }
}

fn era(revision: ProtocolVersion) -> ClientLifecycleMode {
    if revision.has_initialize() {
        ClientLifecycleMode::Initialize
    } else {
        ClientLifecycleMode::Discover { preferred_versions: vec![revision] }
    }
}

/// The server does not know what it was asked, or nothing of MCP is at this path: another era or place may be right.
fn is_misunderstood(error: &ClientInitializeError) -> bool {
    match error {
        ClientInitializeError::JsonRpcError(error) => [
            ErrorCode::UNSUPPORTED_PROTOCOL_VERSION,
            ErrorCode::HEADER_MISMATCH,
            ErrorCode::METHOD_NOT_FOUND,
            ErrorCode::INVALID_PARAMS,
            ErrorCode::INVALID_REQUEST,
        ]
        .contains(&error.code),
        ClientInitializeError::TransportError { error, .. } => {
            let said = why(error);
            ["400", "404", "405", "406", "415"].iter().any(|status| said.contains(status))
        }
        _ => false,
    }
}

fn not_connected(error: &ClientInitializeError, what: &str) -> Failure {
    // Known as such to rmcp only where the answer names a scheme.
    let is_unnamed = match error {
        ClientInitializeError::TransportError { error, .. } => why(error).contains("401 Unauthorized"),
        _ => false,
    };
    match error {
        ClientInitializeError::JsonRpcError(error) => refusal(error),
        error if is_unnamed || error.is_authorization_required() || error.auth_challenge().is_some() => {
            Failure::new(Exit::Unreachable, "unreachable", format!("{what} asks for a token")).hint(remote::TOKEN_WAYS)
        }
        ClientInitializeError::ConnectionClosed(_) => ended(what),
        ClientInitializeError::TransportError { error, .. } => match error.error.downcast_ref::<std::io::Error>() {
            Some(error) if error.kind() == std::io::ErrorKind::BrokenPipe => ended(what),
            _ => unreachable(what, error).hint("is the server running? codegen-cli serve prints its address"),
        },
        error => Failure::new(
            Exit::Unreachable,
            "unreachable",
            format!("{what} cannot be reached: {}", remote::causes(error)),
        ),
    }
}

fn ended(what: &str) -> Failure {
    Failure::new(Exit::Unreachable, "unreachable", format!("{what} ended before it answered"))
}

fn unreachable(what: &str, error: &DynamicTransportError) -> Failure {
    Failure::new(Exit::Unreachable, "unreachable", format!("{what} cannot be reached: {}", why(error)))
}

fn why(error: &DynamicTransportError) -> String {
    let error: &(dyn std::error::Error + 'static) = error.error.as_ref();
    match error.downcast_ref::<StreamableHttpError<reqwest::Error>>() {
        // Not a source of the other, so `causes` would not find it.
        Some(StreamableHttpError::Client(error)) => remote::causes(error),
        _ => remote::causes(error),
    }
}

/// What a child process writes on stderr, kept for the case that something goes wrong.
pub(super) struct Said {
    text: Arc<Mutex<Vec<u8>>>,
    listener: tokio::task::JoinHandle<()>,
}

impl Said {
    fn listen(mut stderr: ChildStderr) -> Self {
        let text = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&text);
        let listener = tokio::spawn(async move {
            let mut chunk = vec![0; 4096];
            while let Ok(n @ 1..) = stderr.read(&mut chunk).await {
                let Ok(mut kept) = kept.lock() else { break };
                kept.extend(chunk.iter().take(n));
                let excess = kept.len().saturating_sub(KEPT);
                kept.drain(..excess);
            }
        });
        Self { text, listener }
    }

    /// What was said so far.
    pub(super) fn text(&self) -> String {
        let bytes = self.text.lock().map(|text| text.clone()).unwrap_or_default();
        console::strip_ansi_codes(&String::from_utf8_lossy(&bytes)).into_owned()
    }

    /// What was said until the process ended.
    async fn last_words(mut self) -> String {
        let _ = tokio::time::timeout(super::GOODBYE, &mut self.listener).await;
        self.text()
    }
}
