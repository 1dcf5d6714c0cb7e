//! MCP on standard input and output: one client, one process (`mcp.md` 4).
//!
//! Only messages go to standard output. A line that is no message is answered where its id could be read and logged
//! otherwise; the process lives on, and the end of the input ends it after the calls that run.

use std::io::{self, Read as _};
use std::sync::Arc;

use rmcp::model::{ClientJsonRpcMessage, ClientRequest, GetMeta as _, ProtocolVersion, ServerJsonRpcMessage};
use rmcp::transport::Transport as McpTransport;
use rmcp::{RoleServer, ServiceExt};
use serde_json::{Value as Json, json};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

use super::host::Built;
use super::mcp::{
    Arrived, Envelope, Handler, INVALID_REQUEST, Malformed, Noted, Published, Reach, Transport, Unanswered,
    is_of_another_era, misread, taken, unknown_method,
};
use super::run::LAST_ANSWERS;
use super::stdout::Protocol;
use crate::session::{Holder, Key};

/// Longest line; as much as a large picture needs, and a bound all the same.
const MAX_LINE: usize = 16 << 20;
/// Standard input is read in pieces of this size.
const CHUNK: usize = 64 << 10;

/// Serves the client on standard input until it ends or `close` is cancelled, and lets its running calls answer within
/// the grace period.
pub(super) async fn serve(built: &Built, output: Protocol, close: CancellationToken) {
    let server = &built.server;
    let name = match server.nodesets.as_slice() {
        [only] => only.name().to_owned(),
        _ => server.options.name.clone().unwrap_or_else(super::host::program),
    };
    let published = match Published::new(server, &server.nodesets, &name, Transport::Stdio, &built.filter) {
        Ok(published) => published,
        Err(reason) => {
            tracing::error!(reason, "no MCP");
            return;
        }
    };
    // The process is its client's alone: nobody else can have a lease that this client would wait for.
    for leases in server.nodesets.iter().filter_map(|hosted| hosted.lease.as_ref()) {
        if let Ok(reservation) = leases.reserve(Holder::new(None, "the client on stdio")) {
            reservation.promote(Key::Process);
            reservation.keep();
        }
    }
    let ended = CancellationToken::new();
    let unanswered = Unanswered::default();
    let versions = published.versions();
    let lines = Lines::new(BufReader::new(input()), output, versions, unanswered.clone(), close, ended.clone());
    let lines = Noted { transport: lines, unanswered: unanswered.clone() };
    let service = async {
        match Handler::new(Arc::new(published), Reach::Lasting, unanswered).serve(lines).await {
            Ok(service) => drop(service.waiting().await),
            Err(error) => tracing::warn!(%error, "the client said no hello"),
        }
    };
    let mut service = std::pin::pin!(service);
    tokio::select! {
        () = &mut service => return,
        () = ended.cancelled() => {}
    }
    if tokio::time::timeout(server.options.grace, &mut service).await.is_err() {
        // What is cancelled answers, and rmcp ends with the last answer.
        server.life.calls().cancel();
        let _ = tokio::time::timeout(LAST_ANSWERS, service).await;
    }
}

/// Standard input, read by a thread of its own: tokio's reader would keep the process from ending until its client
/// says another word.
fn input() -> impl AsyncRead {
    let (ours, mut theirs) = tokio::io::duplex(CHUNK);
    let runtime = tokio::runtime::Handle::current();
    std::thread::spawn(move || {
        let mut chunk = vec![0; CHUNK];
        let mut stdin = io::stdin().lock();
        while let Ok(length @ 1..) = stdin.read(&mut chunk) {
            let read = chunk.get(..length).unwrap_or_default();
            if runtime.block_on(theirs.write_all(read)).is_err() {
                return;
            }
        }
    });
    ours
}

/// Messages as lines.
struct Lines<R, W> {
    input: R,
    /// What has been read of the current line; kept here, since rmcp drops a read that is under way.
    line: Vec<u8>,
    /// The rest of the current line is dropped, since it is too long.
    skipping: bool,
    output: Arc<Mutex<W>>,
    /// The versions that are served.
    served: &'static [ProtocolVersion],
    /// The client has sent the request by which rmcp knows its era.
    has_begun: bool,
    unanswered: Unanswered,
    /// No further line is read.
    close: CancellationToken,
    /// Cancelled when no further line comes.
    ended: CancellationToken,
}

impl<R: AsyncBufRead + Unpin, W: AsyncWrite + Unpin> Lines<R, W> {
    fn new(
        input: R,
        output: W,
        served: &'static [ProtocolVersion],
        unanswered: Unanswered,
        close: CancellationToken,
        ended: CancellationToken,
    ) -> Self {
        let output = Arc::new(Mutex::new(output));
        Self { input, line: Vec::new(), skipping: false, output, served, has_begun: false, unanswered, close, ended }
    }

    /// The next whole line; none at the end of the input, where a partial line says nothing.
    ///
    /// Safe to drop while it waits: nothing is taken from the input before it is kept.
    async fn next_line(&mut self) -> Option<Vec<u8>> {
        loop {
            let available = match self.input.fill_buf().await {
                Ok([]) => return None,
                Ok(available) => available,
                Err(error) => {
                    tracing::warn!(%error, "standard input cannot be read");
                    return None;
                }
            };
            let end = available.iter().position(|byte| *byte == b'\n');
            let (part, taken) = match end {
                Some(end) => (available.get(..end).unwrap_or_default(), end + 1),
                None => (available, available.len()),
            };
            if !self.skipping && self.line.len() + part.len() > MAX_LINE {
                tracing::warn!(limit = MAX_LINE, "dropped a line that is too long");
                self.skipping = true;
            }
            if self.skipping {
                self.line = Vec::new();
            } else {
                self.line.extend_from_slice(part);
            }
            self.input.consume(taken);
            if end.is_some() {
                let line = std::mem::take(&mut self.line);
                if !std::mem::take(&mut self.skipping) {
                    return Some(line);
                }
            }
        }
    }

    /// The message of a line, or nothing once the line has been answered or logged.
    async fn message(&mut self, line: &[u8]) -> Option<ClientJsonRpcMessage> {
        let text = line.trim_ascii();
        if text.is_empty() {
            return None;
        }
        let (code, reason, id) = match self.read(text) {
            Ok(message) => return Some(message),
            Err(Malformed { code, reason, id }) => (code, reason, id),
        };
        tracing::warn!(code, reason, "a line that is no message");
        if !id.is_null() {
            let answer = json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": reason } });
            if let Err(error) = write_line(&self.output, answer.to_string().into_bytes()).await {
                tracing::debug!(%error, "standard output cannot be written");
            }
        }
        None
    }

    /// The message that a text is, unless it is to be refused before anybody takes it up.
    fn read(&mut self, text: &[u8]) -> Result<ClientJsonRpcMessage, Malformed> {
        let envelope = Envelope::parse(text)?;
        let refused = |code, reason, id| Malformed { code, reason, id };
        let message: ClientJsonRpcMessage = match serde_json::from_slice(text) {
            Ok(message) => message,
            Err(error) => return Err(refused(INVALID_REQUEST, error.to_string(), envelope.id)),
        };
        if let Some(method) = envelope.method() {
            if is_of_another_era(method, envelope.is_modern() && !envelope.says_hello()) {
                let error = unknown_method(method);
                return Err(refused(error.code.0, error.message.into_owned(), envelope.id));
            }
            // Before it knows an era, rmcp takes every other request for one of the newer, and says what that lacks.
            if let ClientJsonRpcMessage::Request(request) = &message
                && let ClientRequest::CustomRequest(hello) = &request.request
                && envelope.says_hello()
                && !self.has_begun
                && let Some(error) = misread(method, hello.params.clone().unwrap_or_default())
            {
                return Err(refused(error.code.0, error.message.into_owned(), envelope.id));
            }
            // From here on it is on its way: what reads it next, takes it up.
            if self.unanswered.begin(&envelope.id, method).map(Arrived::forget).is_none() {
                return Err(refused(INVALID_REQUEST, taken(&envelope.id), envelope.id));
            }
        }
        match &message {
            ClientJsonRpcMessage::Request(request) => self.has_begun |= begins(&request.request, self.served),
            // It is about no request of ours and none of its own, and rmcp would end with it.
            _ if !self.has_begun => {
                let reason = "the client has sent no request that it could be about".to_owned();
                return Err(refused(INVALID_REQUEST, reason, Json::Null));
            }
            _ => {}
        }
        Ok(message)
    }
}

/// Whether rmcp knows the era of its client from this request on.
fn begins(request: &ClientRequest, served: &[ProtocolVersion]) -> bool {
    match request {
        ClientRequest::InitializeRequest(_) => true,
        // They may come before either era.
        ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => false,
        other => {
            let meta = other.get_meta();
            meta.missing_required_keys(&ProtocolVersion::V_2026_07_28).is_empty()
                && meta.protocol_version().is_some_and(|version| served.contains(&version))
        }
    }
}

impl<R, W> McpTransport<RoleServer> for Lines<R, W>
where
    R: AsyncBufRead + Unpin + Send,
    W: AsyncWrite + Unpin + Send + 'static,
{
    type Error = io::Error;

    fn send(&mut self, message: ServerJsonRpcMessage) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let output = self.output.clone();
        async move { write_line(&output, serde_json::to_vec(&message)?).await }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        let close = self.close.clone();
        loop {
            let Some(line) = close.run_until_cancelled(self.next_line()).await.flatten() else {
                self.ended.cancel();
                return None;
            };
            if let Some(message) = self.message(&line).await {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.output.lock().await.flush().await
    }
}

async fn write_line<W: AsyncWrite + Unpin>(output: &Mutex<W>, mut line: Vec<u8>) -> io::Result<()> {
    line.push(b'\n');
    let mut output = output.lock().await;
    output.write_all(&line).await?;
    output.flush().await
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn received(input: &[u8]) -> (Vec<String>, String) {
        let mut output = Vec::new();
        let mut methods = Vec::new();
        let (close, ended) = (CancellationToken::new(), CancellationToken::new());
        let served = ProtocolVersion::KNOWN_VERSIONS;
        let mut lines = Lines::new(input, &mut output, served, Unanswered::default(), close, ended);
        while let Some(line) = lines.next_line().await {
            if let Some(message) = lines.message(&line).await {
                let message = serde_json::to_value(message).unwrap();
                methods.push(message["method"].as_str().unwrap().to_owned());
            }
        }
        drop(lines);
        (methods, String::from_utf8(output).unwrap())
    }

    #[tokio::test]
    async fn b71_one_bad_line_is_one_bad_line() {
        let input = b"garbage\n\xff\n\xef\xbb\xbf{}\n\n[]\n{\"jsonrpc\":\"2.0\",\"id\":7}\r\n\
            {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r\n{\"jsonrpc\":\"2.0\",\"id\":2,\"meth";
        let (methods, output) = received(input).await;
        assert_eq!(methods, ["ping"]);
        let answer: Json = serde_json::from_str(output.trim()).unwrap();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(7), &json!(-32600)));
    }

    #[tokio::test]
    async fn b49_a_method_of_the_other_era_is_none() {
        let newer = json!({ "_meta": { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } });
        let line = |id: u8, method: &str, params: &Json| {
            format!("{}\n", json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))
        };
        let input = [
            line(
                1,
                "initialize",
                &json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "a", "version": "1" } }),
            ),
            line(2, "logging/setLevel", &json!({ "level": "info" })),
            line(3, "logging/setLevel", &newer),
            line(4, "ping", &newer),
            line(5, "initialize", &newer),
            line(6, "tasks/get", &json!({ "taskId": "x" })),
            line(7, "tools/list", &newer),
        ];
        let (methods, output) = received(input.concat().as_bytes()).await;
        assert_eq!(methods, ["initialize", "logging/setLevel", "tools/list"]);
        let refused = output.lines().map(|line| {
            let answer: Json = serde_json::from_str(line).unwrap();
            (answer["id"].as_i64(), answer["error"]["code"].as_i64())
        });
        assert_eq!(refused.collect::<Vec<_>>(), [3, 4, 5, 6].map(|id| (Some(id), Some(-32601))));
    }

    #[tokio::test]
    async fn b71_what_is_about_no_request_is_dropped_before_the_first() {
        let method = "notifications/cancelled";
        let cancelled = || json!({ "jsonrpc": "2.0", "method": method, "params": { "requestId": 1 } });
        let client = json!({ "name": "a", "version": "1" });
        let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client });
        let lines = [
            cancelled(),
            json!({ "jsonrpc": "2.0", "id": 0, "result": {} }),
            json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" }),
            cancelled(),
            json!({ "jsonrpc": "2.0", "id": 2, "method": "initialize", "params": params }),
            cancelled(),
        ];
        let input = lines.map(|line| line.to_string() + "\n").concat();
        let (methods, output) = received(input.as_bytes()).await;
        assert_eq!(methods, ["ping", "initialize", method]);
        assert_eq!(output, "");
    }

    #[tokio::test]
    async fn t35_a_line_that_is_too_long_is_dropped() {
        let mut input = vec![b'x'; MAX_LINE + 1];
        input.extend_from_slice(b"\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n");
        assert_eq!(received(&input).await.0, ["ping"]);
    }
}
