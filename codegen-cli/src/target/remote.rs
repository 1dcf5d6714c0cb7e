//! A server at a URL: its documents over HTTP. MCP is `mcp/`.

use std::time::{Duration, Instant};

use reqwest::{StatusCode, Url};
use serde_json::{Value, json};

use crate::exit::Exit;
use crate::failure::Failure;

/// Time for a document; a call has no such limit.
const PATIENCE: Duration = Duration::from_secs(30);

/// Time for a server to start, which may load a model.
const START: Duration = Duration::from_secs(120);

/// How to give a token.
pub(crate) const TOKEN_WAYS: &str = "--token-file FILE, or --token-env VARIABLE";

/// The type of the error that a server answers with until it has started.
const STARTING: &str = "starting";

/// Where a server is, and the token that it asks for.
#[derive(Clone, Debug)]
pub(crate) struct Remote {
    /// As the user wrote it, without slashes at the end.
    url: Url,
    /// The bearer token.
    pub(crate) token: Option<String>,
}

impl Remote {
    /// Reads the URL.
    pub(crate) fn new(url: &str, token: Option<String>) -> Result<Self, Failure> {
        let parsed =
            Url::parse(url.trim_end_matches('/')).map_err(|error| Failure::usage(format!("{url}: {error}")))?;
        Ok(Self { url: parsed, token })
    }

    /// The endpoint of MCP: the URL itself if it ends so, else `/mcp` under it.
    pub(crate) fn mcp(&self) -> String {
        format!("{}/mcp", self.base())
    }

    /// The URL as the user gave it.
    pub(crate) fn given(&self) -> &str {
        self.url.as_str()
    }

    /// The address as messages name it.
    pub(crate) fn base(&self) -> &str {
        let url = self.url.as_str().trim_end_matches('/');
        url.strip_suffix("/mcp").unwrap_or(url)
    }

    /// A document, to the byte.
    pub(crate) async fn document(&self, path: &str) -> Result<String, Failure> {
        once_started(|| self.get(path)).await
    }

    /// The contract document; of a host with several nodesets, an object nodeset → contract, in the host's order.
    pub(crate) async fn contract(&self) -> Result<String, Failure> {
        let failure = match self.document("contract").await {
            Ok(text) => return Ok(text),
            Err(failure) => failure,
        };
        // Such a host names the places of its contracts in the refusal.
        let known = failure.json().get("known").and_then(Value::as_array).cloned().unwrap_or_default();
        // Each to the byte, as hosts print several.
        let mut contracts = Vec::new();
        for path in known.iter().filter_map(Value::as_str) {
            let Some(nodeset) = path.strip_prefix('/').and_then(|path| path.strip_suffix("/contract")) else {
                continue;
            };
            let text = self.document(path.trim_start_matches('/')).await?;
            contracts.push(format!("{}:{}", Value::from(nodeset), text.trim_end()));
        }
        if contracts.is_empty() { Err(failure) } else { Ok(format!("{{{}}}\n", contracts.join(","))) }
    }

    async fn get(&self, path: &str) -> Result<String, Failure> {
        let unreachable = |error: reqwest::Error| self.unreachable(&causes(&error));
        let client = reqwest::Client::builder().timeout(PATIENCE).build().map_err(unreachable)?;
        let mut request = client.get(format!("{}/{path}", self.base()));
        if let Some(token) = &self.token {
            request = request.bearer_auth(token);
        }
        let response = request.send().await.map_err(unreachable)?;
        let status = response.status();
        let text = response.text().await.map_err(unreachable)?;
        match status {
            StatusCode::OK => Ok(text),
            StatusCode::UNAUTHORIZED => Err(self.refused("asks for a token").hint(TOKEN_WAYS)),
            StatusCode::NOT_FOUND => {
                let failure = self.refused(&format!("has no /{path}"));
                let known = serde_json::from_str::<Value>(&text).ok().and_then(|body| body.get("known").cloned());
                Err(match known {
                    Some(known) => failure.detail("known", known),
                    None => failure.hint("a server that is not ours has --projection mcp alone, without --profile"),
                })
            }
            StatusCode::SERVICE_UNAVAILABLE if text.contains(STARTING) => {
                Err(Failure::new(Exit::Unreachable, STARTING, format!("{} is starting", self.base())))
            }
            status => Err(self.refused(&format!("answered {status}")).quoting(text)),
        }
    }

    /// The tools, asked for without a session, which in the older era would take the lease of an exclusive nodeset.
    /// `None` from a server that wants one, or that is none.
    pub(crate) async fn tools(&self) -> Option<Vec<Value>> {
        let client = reqwest::Client::builder().timeout(PATIENCE).build().ok()?;
        let (mut tools, mut cursor) = (Vec::new(), None::<Value>);
        loop {
            let params = cursor.map_or_else(|| json!({}), |cursor| json!({ "cursor": cursor }));
            let mut request = client
                .post(self.mcp())
                .header("accept", "application/json, text/event-stream")
                .header("mcp-protocol-version", "2025-11-25")
                .json(&json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": params }));
            if let Some(token) = &self.token {
                request = request.bearer_auth(token);
            }
            let mut answer: Value = request.send().await.ok()?.json().await.ok()?;
            let result = answer.get_mut("result")?;
            let Value::Array(page) = result.get_mut("tools")?.take() else { return None };
            tools.extend(page);
            cursor = result.get("nextCursor").filter(|cursor| cursor.is_string()).cloned();
            if cursor.is_none() {
                return Some(tools);
            }
        }
    }

    /// No answer at all.
    pub(crate) fn unreachable(&self, why: &str) -> Failure {
        Failure::new(Exit::Unreachable, "unreachable", format!("{} cannot be reached: {why}", self.base()))
            .hint("is the server running? codegen-cli serve prints its address")
    }

    fn refused(&self, what: &str) -> Failure {
        Failure::new(Exit::Unreachable, "unreachable", format!("{} {what}", self.base()))
    }
}

/// Asks again while the server says that it is starting: its address is known before it is ready.
pub(crate) async fn once_started<T, F>(ask: impl Fn() -> F) -> Result<T, Failure>
where
    F: Future<Output = Result<T, Failure>>,
{
    let begun = Instant::now();
    loop {
        match ask().await {
            Err(failure) if failure.kind() == STARTING && begun.elapsed() < START => {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
            answer => return answer,
        }
    }
}

/// The last cause is the one that says something: "connection refused", not "error sending request".
pub(crate) fn causes(error: &(dyn std::error::Error + 'static)) -> String {
    let mut last = error;
    while let Some(source) = last.source() {
        last = source;
    }
    last.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_endpoint_is_found_from_either_url() {
        for url in [
            "http://127.0.0.1:9200",
            "http://127.0.0.1:9200/",
            "http://127.0.0.1:9200/mcp",
            "http://127.0.0.1:9200/mcp/",
        ] {
            let remote = Remote::new(url, None).unwrap();
            assert_eq!(remote.mcp(), "http://127.0.0.1:9200/mcp");
            assert_eq!(remote.base(), "http://127.0.0.1:9200");
        }
        assert_eq!(Remote::new("http://h/vision", None).unwrap().mcp(), "http://h/vision/mcp");
        assert!(Remote::new("http://", None).is_err());
    }
}
