//! The requests, written once, and the check that every side answers them.

use bench_harness::{Error, Request};
use clap::ValueEnum;
use serde_json::{Value as Json, json};

/// Which protocol is spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Era {
    /// 2025-11-25, without a session.
    Older,
    /// 2026-07-28.
    Newer,
}

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ask {
    /// A call of a small tool, the last in the list.
    Call,
    /// All tools, on one page.
    List,
}

impl Era {
    /// As shown.
    pub(crate) const fn version(self) -> &'static str {
        match self {
            Self::Older => "2025-11-25",
            Self::Newer => "2026-07-28",
        }
    }
}

impl Ask {
    /// Its method.
    pub(crate) const fn method(self) -> &'static str {
        match self {
            Self::Call => "tools/call",
            Self::List => "tools/list",
        }
    }

    /// The message.
    pub(crate) fn message(self, era: Era, tools: usize) -> Json {
        let mut params = match self {
            Self::Call => json!({ "name": name(tools), "arguments": arguments() }),
            Self::List => json!({}),
        };
        if let (Era::Newer, Some(params)) = (era, params.as_object_mut()) {
            let meta = json!({
                "io.modelcontextprotocol/protocolVersion": era.version(),
                "io.modelcontextprotocol/clientCapabilities": {},
                "io.modelcontextprotocol/clientInfo": { "name": "bench-mcp", "version": "1" },
            });
            params.insert("_meta".to_owned(), meta);
        }
        json!({ "jsonrpc": "2.0", "id": 1, "method": self.method(), "params": params })
    }

    /// The message over HTTP.
    pub(crate) fn request(self, era: Era, tools: usize) -> Request {
        let mut headers = vec![
            ("content-type", "application/json".to_owned()),
            ("accept", "application/json, text/event-stream".to_owned()),
            ("mcp-protocol-version", era.version().to_owned()),
        ];
        if era == Era::Newer {
            headers.push(("mcp-method", self.method().to_owned()));
            if self == Self::Call {
                headers.push(("mcp-name", name(tools)));
            }
        }
        Request { path: "/mcp".to_owned(), headers, body: self.message(era, tools).to_string().into() }
    }

    /// Fails unless the answer is the right one.
    pub(crate) fn check(self, answer: &[u8], tools: usize) -> Result<(), Error> {
        let answer: Json = serde_json::from_slice(answer)?;
        let right = match self {
            Self::Call => answer.pointer("/result/structuredContent") == Some(&arguments()),
            Self::List => answer.pointer("/result/tools").and_then(Json::as_array).map(Vec::len) == Some(tools),
        };
        if right { Ok(()) } else { Err(format!("{} is not answered as expected: {answer:.500}", self.method()).into()) }
    }
}

fn name(tools: usize) -> String {
    format!("bench__tool{}", tools.saturating_sub(1))
}

fn arguments() -> Json {
    json!({ "text": "the quick brown fox jumps over the lazy dog", "count": 7, "factor": 0.25 })
}
