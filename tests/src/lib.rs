//! What tests of a running host share: starting one, asking it, ending it.

mod stdio;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{self, Child, ChildStderr, Command};
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

pub use stdio::{Ended, Stdio};

/// A host in a process of its own, killed when dropped.
#[derive(Debug)]
pub struct Host {
    child: Child,
    /// Where it listens: `http://127.0.0.1:PORT`.
    pub url: String,
    stderr: Option<ChildStderr>,
    client: reqwest::Client,
}

/// An answer, read whole.
#[derive(Debug)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The headers.
    pub headers: reqwest::header::HeaderMap,
    /// The body.
    pub body: Vec<u8>,
}

impl Host {
    /// Starts `program` on a free port with these arguments, and waits until it is ready.
    ///
    /// # Panics
    ///
    /// Where it does not come up.
    pub async fn start(program: &str, arguments: &[&str]) -> Self {
        Self::spawn(program, arguments).up().await
    }

    /// The same without a log: for tests of so many calls that most of its lines would find no reader.
    ///
    /// # Panics
    ///
    /// Where it does not come up.
    pub async fn quiet(program: &str, arguments: &[&str]) -> Self {
        Self::launch(program, arguments, "off").up().await
    }

    /// Waits until it is ready.
    ///
    /// # Panics
    ///
    /// Where it does not come up.
    pub async fn up(self) -> Self {
        let deadline = Instant::now() + Duration::from_secs(20);
        while self.get("/health").await.status != 200 {
            assert!(Instant::now() < deadline, "the host does not come up");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        self
    }

    /// The same without waiting for more than its first line.
    ///
    /// # Panics
    ///
    /// Where it does not print it.
    pub fn spawn(program: &str, arguments: &[&str]) -> Self {
        Self::launch(program, arguments, "info,rmcp=off")
    }

    fn launch(program: &str, arguments: &[&str], log: &str) -> Self {
        let mut command = Command::new(program);
        command.args(["--port", "0"]).args(arguments).env("RUST_LOG", log);
        Self::of(&mut command)
    }

    /// A host that is started by this command, without waiting for more than its first line.
    ///
    /// # Panics
    ///
    /// Where it does not print it.
    #[allow(clippy::expect_used, reason = "a test ends here")]
    pub fn of(command: &mut Command) -> Self {
        let mut child =
            command.stdout(process::Stdio::piped()).stderr(process::Stdio::piped()).spawn().expect("the host starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut line = String::new();
        stdout.read_line(&mut line).expect("a line");
        let url = line.trim().strip_prefix("listening on ").expect("the first line says where").to_owned();
        // Read on to the end: a nodeset that prints while its pipe is full waits, and once nobody reads it, panics.
        std::thread::spawn(move || std::io::copy(&mut stdout, &mut std::io::sink()));
        let stderr = child.stderr.take();
        // A connection a request, as the clients of graph frameworks have it.
        let client = http().pool_max_idle_per_host(0).build().expect("a client");
        Self { child, url, stderr, client }
    }

    /// The same with a client on standard input and output beside the port.
    ///
    /// # Panics
    ///
    /// Where it does not say where it listens.
    #[allow(clippy::expect_used, reason = "a test ends here")]
    pub fn beside_stdio(program: &str, arguments: &[&str]) -> (Stdio, Self) {
        let (client, mut child) =
            Stdio::spawn(Command::new(program).args(["--port", "0"]).args(arguments).env("RUST_LOG", "off"));
        let mut stderr = BufReader::new(child.stderr.take().expect("a pipe"));
        let mut line = String::new();
        stderr.read_line(&mut line).expect("a line");
        let url = line.trim().strip_prefix("listening on ").expect("the first line says where").to_owned();
        let http = http().pool_max_idle_per_host(0).build().expect("a client");
        (client, Self { child, url, stderr: Some(stderr.into_inner()), client: http })
    }

    /// The process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends it a signal: `TERM` or `INT`.
    ///
    /// # Panics
    ///
    /// Where it is gone.
    pub fn signal(&self, name: &str) {
        signal(&self.child, name);
    }

    /// Ends it in order; what it logged.
    ///
    /// # Panics
    ///
    /// Where it ends otherwise.
    #[allow(clippy::expect_used, reason = "a test ends here")]
    pub async fn stop(self) -> String {
        self.signal("TERM");
        let (code, log) = tokio::task::spawn_blocking(move || self.end()).await.expect("an end");
        assert_eq!(code, Some(0), "{log}");
        log
    }

    /// Waits for its end: the exit code and what it logged.
    ///
    /// # Panics
    ///
    /// Where it does not end.
    #[allow(clippy::expect_used, reason = "a test ends here")]
    pub fn end(mut self) -> (Option<i32>, String) {
        let status = self.child.wait().expect("an end");
        let mut log = String::new();
        if let Some(mut stderr) = self.stderr.take() {
            stderr.read_to_string(&mut log).expect("text");
        }
        (status.code(), log)
    }

    /// Host and port.
    pub fn authority(&self) -> &str {
        self.url.trim_start_matches("http://")
    }

    /// `GET`.
    pub async fn get(&self, path: &str) -> Answer {
        self.send(reqwest::Method::GET, path, &[], Vec::new()).await
    }

    /// `POST` of JSON.
    pub async fn post(&self, path: &str, body: &Json) -> Answer {
        let headers = [("content-type", "application/json")];
        self.send(reqwest::Method::POST, path, &headers, body.to_string().into_bytes()).await
    }

    /// A message to an MCP endpoint, with further headers.
    pub async fn mcp(&self, path: &str, headers: &[(&str, &str)], message: &Json) -> Answer {
        let mut all = vec![("content-type", "application/json"), ("accept", "application/json, text/event-stream")];
        all.extend(headers);
        self.send(reqwest::Method::POST, path, &all, message.to_string().into_bytes()).await
    }

    /// A request of the newer era.
    pub async fn ask(&self, Modern { headers, message }: &Modern) -> Answer {
        let headers: Vec<_> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        self.mcp("/mcp", &headers, message).await
    }

    /// Any request.
    ///
    /// # Panics
    ///
    /// Where there is no answer.
    #[allow(clippy::expect_used, reason = "a test ends here")]
    pub async fn send(&self, method: reqwest::Method, path: &str, headers: &[(&str, &str)], body: Vec<u8>) -> Answer {
        let mut request = self.client.request(method, format!("{}{path}", self.url)).body(body);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = request.send().await.expect("an answer");
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        Answer { status, headers, body: response.bytes().await.expect("a body").to_vec() }
    }

    /// Bytes as they are, and the status line and all that comes back.
    ///
    /// # Panics
    ///
    /// Where the connection fails.
    #[allow(clippy::expect_used, reason = "a test ends here")]
    pub fn raw(&self, request: &[u8]) -> String {
        let mut stream = TcpStream::connect(self.authority()).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(10))).expect("a limit");
        stream.write_all(request).expect("written");
        let mut answer = Vec::new();
        // A server that refuses a body may close before it has read all of it.
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Answer {
    /// The body as JSON.
    ///
    /// # Panics
    ///
    /// Where it is none.
    #[allow(clippy::expect_used, reason = "a test ends here")]
    pub fn json(&self) -> Json {
        serde_json::from_slice(&self.body).expect("JSON")
    }

    /// The JSON-RPC message: the body, or the last one of an event stream.
    ///
    /// # Panics
    ///
    /// Where there is none.
    #[allow(clippy::expect_used, reason = "a test ends here")]
    pub fn message(&self) -> Json {
        if !self.header("content-type").starts_with("text/event-stream") {
            return self.json();
        }
        let text = String::from_utf8_lossy(&self.body);
        let data = text.lines().filter_map(|line| line.strip_prefix("data: ")).rfind(|data| data.starts_with('{'));
        serde_json::from_str(data.expect("an event")).expect("JSON")
    }

    /// A header, empty where it is missing.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }
}

#[allow(clippy::expect_used, reason = "a test ends here")]
fn signal(child: &Child, name: &str) {
    let kill = Command::new("kill").args([format!("-{name}"), child.id().to_string()]).status().expect("kill");
    assert!(kill.success());
}

/// Serves these routes from this process, for as long as the test runs; their address.
///
/// # Panics
///
/// Where there is no free port.
#[allow(clippy::expect_used, reason = "a test ends here")]
pub async fn serve(routes: axum::Router) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    tokio::spawn(async move { axum::serve(listener, routes).await });
    url
}

/// A client of HTTP.
///
/// `codegen-cli` chooses TLS for its own process; built together with it, reqwest asks every process for a choice, even
/// where nothing is encrypted.
pub fn http() -> reqwest::ClientBuilder {
    // Whoever came first has chosen the same.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().no_proxy()
}

/// The path of a file beside the tests.
pub fn here(path: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// A JSON-RPC request.
pub fn request(id: i64, method: &str, params: &Json) -> Json {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

/// The handshake of the older era.
pub fn initialize(id: i64, client: &str) -> Json {
    let client = json!({ "name": client, "version": "1.0" });
    request(id, "initialize", &json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client }))
}

/// A call of a tool.
pub fn call(id: i64, tool: &str, arguments: &Json) -> Json {
    request(id, "tools/call", &json!({ "name": tool, "arguments": arguments }))
}

/// A request of the newer era of MCP, with the headers that it must have.
#[derive(Clone, Debug)]
pub struct Modern {
    /// The headers.
    pub headers: Vec<(&'static str, String)>,
    /// The message.
    pub message: Json,
}

/// A request of the newer era; `name` is what `Mcp-Name` says.
pub fn modern(id: i64, method: &str, name: Option<&str>, mut params: Json) -> Modern {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
    });
    if let Some(params) = params.as_object_mut() {
        params.insert("_meta".to_owned(), meta);
    }
    let mut headers = vec![("mcp-protocol-version", "2026-07-28".to_owned()), ("mcp-method", method.to_owned())];
    headers.extend(name.map(|name| ("mcp-name", name.to_owned())));
    Modern { headers, message: request(id, method, &params) }
}

impl Modern {
    /// The same of a client that declares these capabilities.
    #[must_use]
    pub fn declaring(mut self, capabilities: Json) -> Self {
        let declared = "/params/_meta/io.modelcontextprotocol~1clientCapabilities";
        if let Some(declared) = self.message.pointer_mut(declared) {
            *declared = capabilities;
        }
        self
    }

    /// The same with a further header.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }
}

/// README's example, compiled.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
