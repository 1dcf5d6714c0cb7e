//! The peers that need no declaration: rmcp over a stored table, a bare echo, and the same bytes each time.

use std::io::Write;
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::post;
use axum::serve::ListenerExt;
use bench_harness::Error;
use clap::ValueEnum;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ErrorData, ListToolsResult, PaginatedRequestParams,
    ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{RoleServer, ServerHandler, ServiceExt};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

/// Who answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Peer {
    /// rmcp's handler, written by hand over a stored table of tools.
    Stored,
    /// axum, which reads the message and gives the arguments back.
    Echo,
    /// axum, which sends the list of tools as bytes that were written before.
    Bytes,
}

/// Serves on the loopback, or on standard input and output, until the process ends.
pub(crate) async fn serve(peer: Peer, tools: usize, stdio: bool) -> Result<(), Error> {
    let router = match peer {
        Peer::Stored => {
            let table = Table(Arc::new((0..tools).map(tool).collect()));
            if stdio {
                table.serve(rmcp::transport::stdio()).await?.waiting().await?;
                return Ok(());
            }
            let config = StreamableHttpServerConfig::default().with_json_response(true).with_legacy_session_mode(false);
            let sessions = Arc::new(NeverSessionManager::default());
            let service = StreamableHttpService::new(move || Ok(table.clone()), sessions, config);
            Router::new().route_service("/mcp", service)
        }
        Peer::Echo => Router::new().route("/mcp", post(echo)),
        Peer::Bytes => {
            let list =
                json!({ "jsonrpc": "2.0", "id": 1, "result": { "tools": (0..tools).map(tool).collect::<Vec<_>>() } });
            let bytes = Bytes::from(serde_json::to_vec(&list)?);
            let send =
                move |_: Bytes| async move { ([(CONTENT_TYPE, "application/json")], bytes.clone()).into_response() };
            Router::new().route("/mcp", post(send))
        }
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    writeln!(std::io::stdout(), "listening on http://{}", listener.local_addr()?)?;
    // As ours: an answer does not wait for the next acknowledgement.
    let listener = listener.tap_io(|connection| {
        let _ = connection.set_nodelay(true);
    });
    Ok(axum::serve(listener, router).await?)
}

#[derive(Deserialize, Serialize)]
struct Echo {
    text: String,
    count: u32,
    factor: f64,
}

#[derive(Deserialize)]
struct Message {
    id: Json,
    params: Params,
}

#[derive(Deserialize)]
struct Params {
    arguments: Echo,
}

#[derive(Serialize)]
struct Answer {
    jsonrpc: &'static str,
    id: Json,
    result: Echoed,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Echoed {
    structured_content: Echo,
}

async fn echo(axum::Json(message): axum::Json<Message>) -> axum::Json<Answer> {
    let result = Echoed { structured_content: message.params.arguments };
    axum::Json(Answer { jsonrpc: "2.0", id: message.id, result })
}

#[derive(Clone)]
struct Table(Arc<Vec<Tool>>);

impl ServerHandler for Table {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.0.iter().find(|tool| tool.name == name).cloned()
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.0.to_vec()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if !self.0.iter().any(|tool| tool.name == request.name) {
            return Err(ErrorData::invalid_params("no such tool", None));
        }
        let invalid = |error: serde_json::Error| ErrorData::invalid_params(error.to_string(), None);
        let echo: Echo =
            serde_json::from_value(Json::Object(request.arguments.unwrap_or_default())).map_err(invalid)?;
        Ok(CallToolResult::structured(serde_json::to_value(echo).map_err(invalid)?).into())
    }
}

/// A tool as the other sides list it.
fn tool(index: usize) -> Tool {
    let properties = json!({
        "text": { "description": "A text.", "type": "string" },
        "count": { "description": "A count.", "type": "integer", "minimum": 0, "maximum": 4_294_967_295_u32 },
        "factor": { "description": "A factor.", "type": "number" },
    });
    let input = json!({
        "type": "object", "properties": properties, "required": ["text", "count", "factor"], "additionalProperties": false,
    });
    let output = json!({ "type": "object", "properties": properties, "required": ["text", "count", "factor"] });
    let object = |schema: Json| schema.as_object().cloned().unwrap_or_default();
    Tool::new(format!("bench__tool{index}"), format!("Gives back what it gets, in way {index}."), object(input))
        .with_raw_output_schema(Arc::new(object(output)))
        .with_annotations(ToolAnnotations::new().read_only(true))
}
