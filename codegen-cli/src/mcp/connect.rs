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
use crate::target::{Remote, Target, remote};

/// The end of what a server said is what explains why it ended.
const KEPT: usize = 16 * 1024;

impl Client {
    /// Connects to the target; a program or a command is started for it.
    pub(crate) async fn connect(target: &Target) -> Result<Self, Failure> {
        match target {
            Target::Remote(at) => remote::once_started(|| over_http(at)).await,
            Target::Program(program) => {
                let start = || {
                    let mut command = program.command();
                    command.arg("--stdio");
                    Command::from(command)
                };
                over_pipes(start, program.verbose).await
            }
            Target::Command(words) => {
                let start = || {
                    let (program, arguments) =
                        words.split_first().map_or(("", words.as_slice()), |(p, a)| (p.as_str(), a));
                    let mut command = Command::new(program);
                    command.args(arguments);
                    command
                };
                over_pipes(start, false).await
            }
            Target::Document(document) => {
                Err(Failure::usage(format!("{} is a document, not a server", document.name())))
            }
        }
    }
}

async fn over_http(at: &Remote) -> Result<Client, Failure> {
    let first = match handshake_http(at, at.mcp()).await {
        Err(error) if is_elsewhere(&error) => match handshake_http(at, at.given().to_owned()).await {
            // The usual path is the one to talk about when neither answers.
            Err(_) => Err(error),
            connected => connected,
        },
        first => first,
    };
    match first {
        Ok(service) => Ok(Client { service, said: None }),
        Err(error) => Err(not_connected(&error, at.base())),
    }
}

async fn handshake_http(
    at: &Remote,
    uri: String,
) -> Result<RunningService<RoleClient, Progress>, ClientInitializeError> {
    let open = || {
        let mut config = StreamableHttpClientTransportConfig::with_uri(uri.clone())
            // Pictures are large, and the server is the user's choice.
            .max_json_response_size(usize::MAX)
            .max_sse_event_size(usize::MAX);
        if let Some(token) = &at.token {
            config = config.auth_header(token);
        }
        StreamableHttpClientTransport::from_config(config)
    };
    match Progress::new().serve_with_lifecycle(open(), ClientLifecycleMode::Initialize).await {
        Err(error) if is_newer(&error) => Progress::new().serve_with_lifecycle(open(), newer()).await,
        connected => connected,
    }
}

async fn over_pipes(start: impl Fn() -> Command, verbose: bool) -> Result<Client, Failure> {
    let connected = match handshake_pipes(start(), verbose, ClientLifecycleMode::Initialize).await? {
        (Err(error), _) if is_newer(&error) => handshake_pipes(start(), verbose, newer()).await?,
        connected => connected,
    };
    match connected {
        (Ok(service), said) => Ok(Client { service, said }),
        (Err(error), said) => {
            let said = match said {
                Some(said) => said.last_words().await,
                None => String::new(),
            };
            Err(not_connected(&error, "the server").quoting(said))
        }
    }
}

type Handshake = (Result<RunningService<RoleClient, Progress>, ClientInitializeError>, Option<Said>);

async fn handshake_pipes(mut command: Command, verbose: bool, era: ClientLifecycleMode) -> Result<Handshake, Failure> {
    // Ctrl-C is ours to hand on as a cancelled call; it must not reach the server by itself.
    #[cfg(unix)]
    command.process_group(0);
    let name = command.as_std().get_program().to_string_lossy().into_owned();
    let stderr = if verbose { Stdio::inherit() } else { Stdio::piped() };
    let (transport, stderr) = TokioChildProcess::builder(command).stderr(stderr).spawn().map_err(|error| {
        Failure::new(Exit::Unreachable, "unreachable", format!("{name} cannot be started: {error}"))
    })?;
    let said = stderr.map(Said::listen);
    Ok((Progress::new().serve_with_lifecycle(transport, era).await, said))
}

/// The era without a handshake, for servers that have left the older one.
fn newer() -> ClientLifecycleMode {
    ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::LATEST] }
}

fn is_newer(error: &ClientInitializeError) -> bool {
    let newer = [ErrorCode::UNSUPPORTED_PROTOCOL_VERSION, ErrorCode::METHOD_NOT_FOUND];
    matches!(error, ClientInitializeError::JsonRpcError(error) if newer.contains(&error.code))
}

/// Nothing of MCP is at this path: the URL that the user gave may be the endpoint itself.
fn is_elsewhere(error: &ClientInitializeError) -> bool {
    let ClientInitializeError::TransportError { error, .. } = error else { return false };
    let said = remote::causes(error);
    said.contains("404") || said.contains("405")
}

fn not_connected(error: &ClientInitializeError, what: &str) -> Failure {
    match error {
        ClientInitializeError::JsonRpcError(error) => refusal(error),
        error if error.is_authorization_required() || error.auth_challenge().is_some() => {
            Failure::new(Exit::Unreachable, "unreachable", format!("{what} asks for a token")).hint("--token-file FILE")
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
    let error: &(dyn std::error::Error + 'static) = error.error.as_ref();
    let why = match error.downcast_ref::<StreamableHttpError<reqwest::Error>>() {
        // Not a source of the other, so `causes` would not find it.
        Some(StreamableHttpError::Client(error)) => remote::causes(error),
        _ => remote::causes(error),
    };
    Failure::new(Exit::Unreachable, "unreachable", format!("{what} cannot be reached: {why}"))
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
