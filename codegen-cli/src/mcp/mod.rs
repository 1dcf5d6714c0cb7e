//! A client of any MCP server, ours or not, at a URL or over the pipes of a child process.
//!
//! Knows nothing of how an answer is shown.

mod connect;
mod progress;

use std::time::Duration;

use rmcp::RoleClient;
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CallToolResult, ClientRequest, ErrorCode, ErrorData, JsonObject,
    ReadResourceRequestParams, ResourceContents, ServerResult, Tool,
};
use rmcp::service::{PeerRequestOptions, RunningService, ServiceError};

use crate::exit::Exit;
use crate::failure::Failure;
use connect::Said;
use progress::Progress;

/// Time for a server to end after its client is done with it.
const GOODBYE: Duration = Duration::from_secs(3);

/// A connection.
pub(crate) struct Client {
    service: RunningService<RoleClient, Progress>,
    /// What a child process wrote on stderr.
    said: Option<Said>,
}

impl Client {
    /// What the server says of its use.
    pub(crate) fn instructions(&self) -> Option<String> {
        self.service.peer_info().and_then(|info| info.instructions.clone())
    }

    /// Every tool, all pages.
    pub(crate) async fn tools(&self) -> Result<Vec<Tool>, Failure> {
        self.service.list_all_tools().await.map_err(|error| self.failure(error))
    }

    /// The text of a resource; none where the server has no such one.
    pub(crate) async fn read(&self, uri: &str) -> Option<String> {
        let read = self.service.read_resource(ReadResourceRequestParams::new(uri)).await.ok()?;
        read.contents.into_iter().find_map(|contents| match contents {
            ResourceContents::TextResourceContents { text, .. } => Some(text),
            _ => None,
        })
    }

    /// Calls a tool. Ctrl-C and the time limit cancel it on the server too.
    pub(crate) async fn call(
        &self,
        tool: &str,
        arguments: JsonObject,
        limit: Option<Duration>,
    ) -> Result<CallToolResult, Failure> {
        let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
        let mut handle = self
            .service
            .send_cancellable_request(request, PeerRequestOptions::no_options())
            .await
            .map_err(|error| self.failure(error))?;
        let stopped = tokio::select! {
            answer = &mut handle.rx => {
                let answer = answer.unwrap_or(Err(ServiceError::TransportClosed));
                return result(answer.map_err(|error| self.failure(error))?);
            }
            _ = tokio::signal::ctrl_c() => Failure::new(Exit::Interrupted, "cancelled", "cancelled"),
            () = expired(limit) => {
                Failure::new(Exit::Unreachable, "timeout", format!("`{tool}` did not answer in time"))
                    .hint("a longer --timeout, or none")
            }
        };
        // Whether the server hears it or not, we stop.
        let _ = tokio::time::timeout(GOODBYE, handle.cancel(Some(stopped_by(&stopped)))).await;
        Err(stopped)
    }

    /// Ends the connection, and with it the session and the child process.
    pub(crate) async fn close(mut self) {
        // A server that does not end in time is killed when the transport is dropped.
        let _ = self.service.close_with_timeout(GOODBYE).await;
    }

    fn failure(&self, error: ServiceError) -> Failure {
        let failure = match error {
            ServiceError::McpError(error) => refusal(&error),
            ServiceError::TransportClosed => {
                Failure::new(Exit::Unreachable, "unreachable", "the server closed the connection")
            }
            error => Failure::new(Exit::Unreachable, "protocol", crate::target::remote::causes(&error)),
        };
        match &self.said {
            Some(said) => failure.quoting(said.text()),
            None => failure,
        }
    }
}

fn result(answer: ServerResult) -> Result<CallToolResult, Failure> {
    match answer {
        ServerResult::CallToolResult(result) => Ok(result),
        // A result without content is one too.
        ServerResult::EmptyResult(_) => Ok(CallToolResult::default()),
        _ => Err(Failure::new(
            Exit::Unreachable,
            "protocol",
            "the server answered with something that is no tool result",
        )),
    }
}

/// A JSON-RPC error: what the server does not even try.
fn refusal(error: &ErrorData) -> Failure {
    let message = error.message.trim_end_matches('.').to_owned();
    let kind = error.data.as_ref().and_then(|data| data.get("type")).and_then(|kind| kind.as_str());
    let failure = match error.code {
        ErrorCode(409) => Failure::new(Exit::Conflict, "busy", message),
        ErrorCode::INVALID_PARAMS => Failure::new(Exit::Refused, kind.unwrap_or("refused"), message),
        ErrorCode::MISSING_REQUIRED_CLIENT_CAPABILITY => Failure::new(Exit::Refused, "missing_capability", message)
            .hint(format!(
                "it needs a client that can do {}, and this command cannot; call it from one that does",
                capabilities(error)
            )),
        _ => Failure::new(Exit::Unreachable, kind.unwrap_or("protocol"), message),
    };
    let failure = failure.detail("code", error.code.0);
    match &error.data {
        Some(data) => failure.detail("data", data.clone()),
        None => failure,
    }
}

/// What a client has to declare, as the server says.
fn capabilities(error: &ErrorData) -> String {
    let required = error.data.as_ref().and_then(|data| data.get("requiredCapabilities")?.as_object());
    let names = required.into_iter().flatten().flat_map(|(name, inside)| match (name.as_str(), inside.as_object()) {
        ("extensions", Some(extensions)) => extensions.keys().map(|name| format!("`{name}`")).collect(),
        _ => vec![format!("`{name}`")],
    });
    let names: Vec<_> = names.collect();
    if names.is_empty() { "what it does not name".to_owned() } else { names.join(" and ") }
}

/// The work, ended by Ctrl-C: a server that was started for it is in a process group of its own, so that the terminal
/// stops us alone.
pub(crate) fn interruptible<T>(
    work: impl Future<Output = Result<T, Failure>>,
) -> impl Future<Output = Result<T, Failure>> {
    // A verb's whole work is large, and each layer around it would hold it once more.
    let work = Box::pin(work);
    async {
        tokio::select! {
            biased;
            done = work => done,
            Ok(()) = tokio::signal::ctrl_c() => Err(Failure::new(Exit::Interrupted, "interrupted", "interrupted")),
        }
    }
}

async fn expired(limit: Option<Duration>) {
    match limit {
        Some(limit) => tokio::time::sleep(limit).await,
        None => std::future::pending().await,
    }
}

fn stopped_by(failure: &Failure) -> String {
    match failure.exit() {
        Exit::Interrupted => "interrupted by the user".to_owned(),
        _ => "the client's time limit".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_a_client_would_have_to_do_is_named() {
        let data = json!({ "requiredCapabilities": { "sampling": {}, "extensions": { "io.example/tasks": {} } } });
        let code = ErrorCode::MISSING_REQUIRED_CLIENT_CAPABILITY;
        let failure = refusal(&ErrorData::new(code, "the client lacks it", Some(data)));
        assert_eq!((failure.exit(), failure.kind()), (Exit::Refused, "missing_capability"));
        let text = failure.text();
        assert!(text.contains("`sampling`") && text.contains("`io.example/tasks`"), "{text}");
        assert_eq!(refusal(&ErrorData::new(ErrorCode(409), "held", None)).exit(), Exit::Conflict);
    }
}
