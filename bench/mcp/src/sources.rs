//! The crates whose tools are declared: as nodes, and as rmcp's `#[tool]`s. Each is a program that serves them.

/// Who declares the tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Declared {
    /// Nodes of a nodeset.
    Nodecast,
    /// Methods with `#[tool]`.
    Rmcp,
}

impl Declared {
    /// Both.
    pub(crate) const ALL: [Self; 2] = [Self::Nodecast, Self::Rmcp];

    /// The name of the package with so many tools.
    pub(crate) fn package(self, tools: usize) -> String {
        match self {
            Self::Nodecast => format!("nodecast-{tools}"),
            Self::Rmcp => format!("rmcp-{tools}"),
        }
    }

    /// Its manifest; `nodecast` is the path of our runtime.
    pub(crate) fn manifest(self, tools: usize, nodecast: &str) -> String {
        let dependency = match self {
            Self::Nodecast => format!("nodecast = {{ path = {nodecast:?}, features = [\"serve\"] }}"),
            Self::Rmcp => "axum = \"0.8\"\nschemars = \"1\"\nserde = { version = \"1\", features = [\"derive\"] }\n\
                 rmcp = { version = \"3.11\", default-features = false, features = \
                 [\"server\", \"macros\", \"transport-streamable-http-server\", \"transport-io\"] }"
                .to_owned(),
        };
        format!(
            "[package]\nname = \"{}\"\nedition = \"2024\"\n\n[dependencies]\n{dependency}\n\
             tokio = {{ version = \"1\", features = [\"full\"] }}\n",
            self.package(tools)
        )
    }

    /// Its one file.
    pub(crate) fn source(self, tools: usize) -> String {
        match self {
            Self::Nodecast => {
                let listed: Vec<_> = (0..tools).map(|index| format!("Tool{index}")).collect();
                let nodeset = NODESET.replace("%size%", &tools.to_string()).replace("%nodes%", &listed.join(", "));
                nodeset + &each(tools, NODE)
            }
            Self::Rmcp => SERVER.replace("%types%", &each(tools, TYPES)).replace("%methods%", &each(tools, METHOD)),
        }
    }
}

/// The template once a tool; `@` is its number.
fn each(tools: usize, template: &str) -> String {
    (0..tools).map(|index| template.replace('@', &index.to_string())).collect()
}

const NODESET: &str = "use nodecast::prelude::*;

/// Echoes.
#[nodeset(name = \"bench\", page_size = %size%, nodes(%nodes%))]
#[derive(Default)]
struct Bench;

#[tokio::main]
async fn main() -> std::process::ExitCode {
    nodecast::serve::<Bench>().await
}
";

const NODE: &str = "
/// Gives back what it gets, in way @.
#[node(read_only)]
struct Tool@ {
    /// A text.
    text: String,
    /// A count.
    count: u32,
    /// A factor.
    factor: f64,
}

#[derive(Outputs)]
struct Echoed@ {
    /// The text.
    text: String,
    /// The count.
    count: u32,
    /// The factor.
    factor: f64,
}

impl Node<Bench> for Tool@ {
    type Output = Echoed@;
    type Error = Error;

    async fn run(self, _: &Bench, _: &Context) -> Result<Echoed@, Error> {
        Ok(Echoed@ { text: self.text, count: self.count, factor: self.factor })
    }
}
";

const SERVER: &str = "#![allow(non_snake_case, reason = \"the methods have the names of the other sides' tools\")]

use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::{ErrorData, Json, ServerHandler, ServiceExt, tool, tool_handler, tool_router};
use rmcp::model::{ServerCapabilities, ServerConfig};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Clone)]
struct Bench {
    tool_router: ToolRouter<Self>,
}
%types%
#[tool_router]
impl Bench {%methods%}

#[tool_handler]
impl ServerHandler for Bench {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let bench = Bench { tool_router: Bench::tool_router() };
    if std::env::args().any(|argument| argument == \"--stdio\") {
        bench.serve(rmcp::transport::stdio()).await?.waiting().await?;
        return Ok(());
    }
    let config = StreamableHttpServerConfig::default().with_json_response(true).with_legacy_session_mode(false);
    let service = StreamableHttpService::new(
        move || Ok(bench.clone()),
        std::sync::Arc::new(NeverSessionManager::default()),
        config,
    );
    let listener = tokio::net::TcpListener::bind(\"127.0.0.1:0\").await?;
    println!(\"listening on http://{}\", listener.local_addr()?);
    use axum::serve::ListenerExt;
    let listener = listener.tap_io(|connection| {
        let _ = connection.set_nodelay(true);
    });
    axum::serve(listener, axum::Router::new().route_service(\"/mcp\", service)).await?;
    Ok(())
}
";

const TYPES: &str = "
#[derive(Deserialize, JsonSchema)]
struct Tool@ {
    /// A text.
    text: String,
    /// A count.
    count: u32,
    /// A factor.
    factor: f64,
}

#[derive(Serialize, JsonSchema)]
struct Echoed@ {
    /// The text.
    text: String,
    /// The count.
    count: u32,
    /// The factor.
    factor: f64,
}
";

const METHOD: &str = "
    /// Gives back what it gets, in way @.
    #[tool(annotations(read_only_hint = true))]
    async fn bench__tool@(&self, Parameters(tool): Parameters<Tool@>) -> Result<Json<Echoed@>, ErrorData> {
        Ok(Json(Echoed@ { text: tool.text, count: tool.count, factor: tool.factor }))
    }
";
