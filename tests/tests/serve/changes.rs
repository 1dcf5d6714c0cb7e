//! Change notes: on the streams of the newer era, and on sessions and stdio in the older one.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use nodecast_tests::{Host, Modern, call, http, modern, request};
use rmcp::model::{CallToolRequestParams, ClientConfig, Implementation, ProtocolVersion};
use rmcp::service::NotificationContext;
use rmcp::transport::TokioChildProcess;
use rmcp::{RoleClient, ServiceExt};
use serde_json::{Value as Json, json};

use crate::{HOST, conformance};

/// A stream of notifications.
pub(crate) struct Stream {
    response: reqwest::Response,
    buffer: String,
}

impl Stream {
    pub(crate) async fn listen(host: &Host, filter: Json) -> Self {
        let Modern { headers, message } = modern(9, "subscriptions/listen", None, json!({ "notifications": filter }));
        let mut request = http().build().unwrap().post(format!("{}/mcp", host.url)).body(message.to_string());
        request =
            request.header("content-type", "application/json").header("accept", "application/json, text/event-stream");
        for (name, value) in headers {
            request = request.header(name, value);
        }
        Self { response: request.send().await.unwrap(), buffer: String::new() }
    }

    /// The notes of a session of the older era.
    pub(crate) async fn open(host: &Host, headers: &[(&str, &str)]) -> Self {
        let mut request =
            http().build().unwrap().get(format!("{}/mcp", host.url)).header("accept", "text/event-stream");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        Self { response: request.send().await.unwrap(), buffer: String::new() }
    }

    /// The next message; none where there is none for a while.
    pub(crate) async fn next(&mut self) -> Option<Json> {
        loop {
            if let Some(end) = self.buffer.find('\n') {
                let line: String = self.buffer.drain(..=end).collect();
                if let Some(data) = line.trim().strip_prefix("data:").filter(|data| data.contains('{')) {
                    return serde_json::from_str(data).ok();
                }
                continue;
            }
            let chunk = tokio::time::timeout(Duration::from_millis(500), self.response.chunk()).await.ok()?.unwrap()?;
            self.buffer.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    }
}

async fn trigger(host: &Host, tool: &str) {
    let asked = modern(1, "tools/call", Some(tool), json!({ "name": tool }));
    assert_eq!(host.ask(&asked).await.status, 200);
}

#[tokio::test]
async fn a_subscription_hears_what_it_asked_for() {
    let host = conformance(&[]).await;
    let mut tools = Stream::listen(&host, json!({ "toolsListChanged": true })).await;
    let mut prompts = Stream::listen(&host, json!({ "promptsListChanged": true })).await;
    for stream in [&mut tools, &mut prompts] {
        assert_eq!(stream.next().await.unwrap()["method"], "notifications/subscriptions/acknowledged");
    }
    trigger(&host, "test_trigger_tool_change").await;
    let told = tools.next().await.unwrap();
    assert_eq!(
        (&told["method"], &told["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"]),
        (&json!("notifications/tools/list_changed"), &json!(9))
    );
    assert_eq!(prompts.next().await, None);
    trigger(&host, "test_trigger_prompt_change").await;
    assert_eq!(prompts.next().await.unwrap()["method"], "notifications/prompts/list_changed");
    assert_eq!(tools.next().await, None);
}

/// rmcp's client, which keeps what it was told.
#[derive(Clone, Default)]
struct Client(Arc<Mutex<Vec<&'static str>>>);

impl rmcp::ClientHandler for Client {
    fn get_info(&self) -> ClientConfig {
        let mut info = ClientConfig::default();
        info.client_info = Implementation::new("test", "1.0");
        info.protocol_version = ProtocolVersion::V_2025_11_25;
        info
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.0.lock().unwrap().push("tools");
    }

    async fn on_prompt_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.0.lock().unwrap().push("prompts");
    }
}

#[tokio::test]
async fn an_older_client_hears_of_every_list() {
    let mut command = tokio::process::Command::new(HOST);
    command.args(["--stdio", "--nodeset", "conformance"]);
    let handler = Client::default();
    let client = handler.clone().serve(TokioChildProcess::new(command).unwrap()).await.unwrap();
    for tool in ["test_trigger_tool_change", "test_trigger_prompt_change"] {
        client.call_tool(CallToolRequestParams::new(tool)).await.unwrap();
    }
    for _ in 0..100 {
        if handler.0.lock().unwrap().len() == 2 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(*handler.0.lock().unwrap(), ["tools", "prompts"]);
    client.cancel().await.unwrap();
}

#[tokio::test]
async fn a_nodeset_without_sessions_announces_no_changes() {
    let host = crate::tiny(&[]).await;
    let asked = modern(1, "subscriptions/listen", None, json!({ "notifications": {} }));
    let refused = host.ask(&asked).await;
    assert_eq!((refused.status, &refused.json()["error"]["code"]), (404, &json!(-32601)));
    let older = host.mcp("/mcp", &[], &request(1, "resources/subscribe", &json!({ "uri": "a:b" }))).await.message();
    assert_eq!(older["error"]["code"], -32601, "{older}");
    let list = host.mcp("/mcp", &[], &call(1, "tiny__nothing", &json!({}))).await;
    assert_eq!(list.status, 200);
}
