//! The fixtures on a port of this process, and how each face is asked.

use std::collections::BTreeMap;

use nodecast_tests::{call, initialize};
use serde_json::{Value as Json, json};

/// The name and the wire type of each output port of a node.
pub(crate) type Ports = BTreeMap<String, String>;

/// A host of all nodesets of the two fixtures.
pub(crate) struct Served {
    url: String,
    client: reqwest::Client,
    /// The MCP session in which one client drives the pantry.
    session: String,
    /// The output ports of each node, by its full name.
    pub(crate) nodes: BTreeMap<String, Ports>,
}

impl Served {
    pub(crate) async fn start() -> Self {
        let host = nodecast::Host::new()
            .nodeset::<kitchen::Kitchen>(())
            .nodeset::<kitchen::Pantry>(json!({ "shelves": 5, "token": "hunter2" }))
            .nodeset::<vision::Vision>(());
        let router = host.into_router().await.unwrap();
        let url = nodecast_tests::serve(router).await;
        let client = nodecast_tests::http().build().unwrap();
        let manifest: Json =
            serde_json::from_slice(&client.get(format!("{url}/manifest")).send().await.unwrap().bytes().await.unwrap())
                .unwrap();
        let nodes = manifest["functions"].as_array().unwrap().iter().map(|function| {
            let ports = function["output_ports"].as_array().unwrap().iter().map(|port| {
                (port["name"].as_str().unwrap().to_owned(), port["wire_type"].as_str().unwrap().to_owned())
            });
            (function["name"].as_str().unwrap().to_owned(), ports.collect())
        });
        let nodes = nodes.collect();
        let mut served = Self { url, client, session: String::new(), nodes };
        let answer = served.post("/pantry/mcp", "application/json", initialize(1, "test").to_string().into()).await;
        answer.headers()["mcp-session-id"].to_str().unwrap().clone_into(&mut served.session);
        served
    }

    /// `/call` in JSON: the status and the body.
    pub(crate) async fn json(&self, path: &str, arguments: &Json) -> (u16, Json) {
        let answer = self.post(path, "application/json", arguments.to_string().into()).await;
        (answer.status().as_u16(), serde_json::from_slice(&answer.bytes().await.unwrap()).unwrap())
    }

    /// `/call` in msgpack: the status and the body.
    pub(crate) async fn msgpack(&self, path: &str, arguments: Vec<u8>) -> (u16, Vec<u8>) {
        let answer = self.post(path, "application/msgpack", arguments).await;
        (answer.status().as_u16(), answer.bytes().await.unwrap().to_vec())
    }

    /// `tools/call`: the result.
    pub(crate) async fn mcp(&self, tool: &str, arguments: &Json) -> Json {
        let path = if tool.starts_with("store__") { "/pantry/mcp" } else { "/mcp" };
        let answer = self.post(path, "application/json", call(1, tool, arguments).to_string().into()).await;
        let answer: Json = serde_json::from_slice(&answer.bytes().await.unwrap()).unwrap();
        assert!(answer["result"].is_object(), "{tool}: {answer}");
        answer["result"].clone()
    }

    async fn post(&self, path: &str, content_type: &str, body: Vec<u8>) -> reqwest::Response {
        let mut request = self.client.post(format!("{}{path}", self.url)).body(body);
        request = request.header("content-type", content_type).header("accept", "application/json");
        if path == "/pantry/mcp" && !self.session.is_empty() {
            request = request.header("mcp-session-id", &self.session);
        }
        request.send().await.unwrap()
    }
}
