//! MCP of an open nodeset: both eras, with rmcp's client and by hand.

use std::time::Duration;

use nodecast_tests::{call, modern, request};
use reqwest::Method;
use rmcp::ServiceExt;
use rmcp::model::{CallToolRequestParams, ClientConfig, Implementation, ProgressNotificationParam, ProtocolVersion};
use rmcp::transport::StreamableHttpClientTransport;
use serde_json::{Value as Json, json};

use crate::tiny;

pub(crate) const LEGACY: [(&str, &str); 1] = [("mcp-protocol-version", "2025-11-25")];

/// The status and the body of a request of the newer era.
pub(crate) async fn ask_modern(
    host: &nodecast_tests::Host,
    method: &str,
    name: Option<&str>,
    params: Json,
) -> (u16, Json) {
    let asked = modern(7, method, name, params);
    let answer = host.ask(&asked).await;
    assert_eq!(answer.header("content-type"), "application/json");
    (answer.status, answer.json())
}

#[tokio::test]
async fn b49_b75_the_newer_era_without_a_session() {
    let host = tiny(&[]).await;
    let (status, answer) = ask_modern(&host, "server/discover", None, json!({})).await;
    assert_eq!(
        (status, &answer["result"]["ttlMs"], &answer["result"]["cacheScope"]),
        (200, &json!(300_000), &json!("public"))
    );
    let (status, list) = ask_modern(&host, "tools/list", None, json!({})).await;
    assert_eq!(
        (status, &list["result"]["resultType"], &list["result"]["ttlMs"]),
        (200, &json!("complete"), &json!(300_000))
    );
    let tools = list["result"]["tools"].as_array().unwrap();
    assert_eq!((tools.len(), &tools[0]["name"]), (10, &json!("tiny__echo")));
    assert_eq!(tools[0]["annotations"], json!({ "readOnlyHint": true }));
    assert_eq!(tools[0]["inputSchema"]["required"], json!(["text"]));
    assert_eq!(ask_modern(&host, "tools/list", None, json!({})).await.1, list);
    let (_, junk) = ask_modern(&host, "tools/list", None, json!({ "cursor": "junk" })).await;
    assert_eq!(junk["error"]["code"], -32602);
    let arguments = json!({ "name": "tiny__echo", "arguments": { "text": "hi", "count": 2 } });
    let (status, reply) = ask_modern(&host, "tools/call", Some("tiny__echo"), arguments).await;
    assert_eq!((status, &reply["result"]["structuredContent"]), (200, &json!({ "result": "hi-hi" })));
    assert_eq!(reply["result"]["content"], json!([{ "type": "text", "text": "{\"result\":\"hi-hi\"}" }]));
    let (status, unknown) = ask_modern(&host, "tools/call", Some("tiny__ehco"), json!({ "name": "tiny__ehco" })).await;
    assert_eq!(
        (status, &unknown["error"]["code"], &unknown["error"]["data"]["nearest"]),
        (200, &json!(-32602), &json!("tiny__echo"))
    );
    assert!(unknown["error"]["message"].as_str().unwrap().starts_with("Unknown tool: tiny__ehco"));
    // People and clients leave the nodeset's name out.
    let (_, short) = ask_modern(&host, "tools/call", Some("echo"), json!({ "name": "echo" })).await;
    assert_eq!(short["error"]["data"]["nearest"], "tiny__echo");
    assert_eq!(short["error"]["message"], "Unknown tool: echo; did you mean tiny__echo?");
    assert_eq!(host.post("/call/echo", &json!({})).await.json()["nearest"], "tiny__echo");
    let (status, method) = ask_modern(&host, "tools/nothing", None, json!({})).await;
    assert_eq!((status, &method["error"]["code"], &method["id"]), (404, &json!(-32601), &json!(7)));
}

#[tokio::test]
async fn the_older_era_without_a_session() {
    let host = tiny(&[]).await;
    let answer = host.mcp("/mcp", &[], &nodecast_tests::initialize(1, "test")).await;
    assert_eq!((answer.status, answer.header("mcp-session-id")), (200, ""));
    assert_eq!(answer.json()["result"]["protocolVersion"], "2025-11-25");
    assert_eq!(answer.json()["result"]["serverInfo"]["name"], "tiny");
    // Without initialize, and without the header.
    for headers in [&LEGACY[..], &[]] {
        let answer = host.mcp("/mcp", headers, &call(2, "tiny__echo", &json!({ "text": "hi" }))).await;
        assert_eq!(answer.header("content-type"), "application/json");
        assert_eq!(answer.json()["result"]["structuredContent"], json!({ "result": "hi" }));
        assert_eq!(answer.json()["result"].get("resultType"), None);
    }
    for (method, status) in [(Method::GET, 405), (Method::DELETE, 405), (Method::PUT, 405)] {
        let answer = host.send(method, "/mcp", &[("accept", "text/event-stream")], Vec::new()).await;
        assert_eq!((answer.status, answer.header("allow")), (status, "POST"));
    }
}

#[tokio::test]
async fn w7_b42_b43_images_and_arrays_in_results() {
    let host = tiny(&[]).await;
    let reply = host.mcp("/mcp", &LEGACY, &call(1, "tiny__picture", &json!({}))).await.json();
    let content = reply["result"]["content"].as_array().unwrap();
    assert_eq!((&content[0]["type"], &content[0]["mimeType"]), (&json!("image"), &json!("image/png")));
    assert_eq!(content[1], json!({ "type": "text", "text": "{\"note\":\"ok\"}" }));
    assert_eq!((content.len(), reply["result"].get("structuredContent")), (2, None));
    let reply = host.mcp("/mcp", &LEGACY, &call(1, "tiny__numbers", &json!({}))).await.json();
    let resource = &reply["result"]["structuredContent"]["result"]["resource"];
    assert!(resource.as_str().is_some_and(|address| address.starts_with("nodecast://results/")), "{reply}");
    let stub = json!({ "__ndarray__": "<omitted>", "dtype": "float32", "shape": [2, 2], "resource": resource });
    let stub = json!({ "result": stub });
    assert_eq!(reply["result"]["structuredContent"], stub);
    assert_eq!(reply["result"]["content"][0]["text"], stub.to_string());
    let list = host.mcp("/mcp", &LEGACY, &request(1, "tools/list", &json!({}))).await.json();
    let tools = list["result"]["tools"].as_array().unwrap();
    let tool = |name: &str| tools.iter().find(|tool| tool["name"] == name).unwrap();
    assert_eq!(tool("tiny__picture").get("outputSchema"), None);
    assert_eq!(tool("tiny__echo")["outputSchema"]["type"], "object");
}

#[tokio::test]
async fn b29_b39_failures_are_tool_errors() {
    let host = tiny(&[]).await;
    let cases = [
        ("tiny__boom", json!({}), "internal_runtime", "panic"),
        ("tiny__fails", json!({}), "adapter_execution", "no_such_scene"),
        ("tiny__not_a_number", json!({}), "adapter_execution", "non_finite"),
        ("tiny__echo", json!({}), "schema_validation", "missing_field"),
        ("tiny__echo", json!({ "txet": "a", "text": "b" }), "schema_validation", "unknown_field"),
        ("tiny__echo", json!({ "text": "a", "count": 300 }), "schema_validation", "out_of_range"),
        ("tiny__slow", json!({ "ms": 9_007_199_254_740_993_u64 }), "schema_validation", "out_of_range"),
    ];
    for (tool, arguments, stage, kind) in cases {
        let reply = host.mcp("/mcp", &LEGACY, &call(1, tool, &arguments)).await.json();
        let result = &reply["result"];
        assert_eq!((&result["isError"], &result["_meta"]["nodecast/stage"]), (&json!(true), &json!(stage)), "{reply}");
        let error: Json = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!((&error["type"], &error["stage"]), (&json!(kind), &json!(stage)), "{tool}: {error}");
        assert!(error["error"].is_string() && error["retryable"].is_boolean());
        assert!(!reply.to_string().contains("secret") && !reply.to_string().contains("hunter2"));
    }
    for arguments in [json!([]), json!("text"), json!(5)] {
        let reply = host.mcp("/mcp", &LEGACY, &call(1, "tiny__nothing", &arguments)).await.json();
        assert_eq!(reply["error"]["code"], -32602, "{reply}");
    }
    for params in [json!({ "name": "tiny__nothing" }), json!({ "name": "tiny__nothing", "arguments": null })] {
        let reply = host.mcp("/mcp", &LEGACY, &request(1, "tools/call", &params)).await.json();
        assert_eq!(reply["result"]["structuredContent"], json!({}), "{reply}");
    }
    let reply = host.mcp("/mcp", &LEGACY, &request(1, "tools/call", &json!({ "arguments": {} }))).await.json();
    assert_eq!(reply["error"]["code"], -32602, "{reply}");
}

/// Metadata that is no object is told as such, whatever the era.
#[tokio::test]
async fn b47_metadata_that_is_none() {
    let newer = [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/list")];
    for host in [tiny(&[]).await, crate::desk(&[]).await] {
        for meta in [json!(5), json!([]), json!("x"), json!(true)] {
            let message = request(7, "tools/list", &json!({ "_meta": meta }));
            for headers in [&newer[..], &LEGACY, &[]] {
                let answer = host.mcp("/mcp", headers, &message).await;
                let body = answer.json();
                let error = &body["error"];
                assert_eq!((answer.status, &error["code"], &body["id"]), (400, &json!(-32602), &json!(7)), "{body}");
                assert!(error["message"].as_str().unwrap().contains("`_meta`"), "{body}");
            }
        }
    }
}

#[tokio::test]
async fn b57_junk_is_answered_as_json() {
    let host = tiny(&[]).await;
    for (body, code) in [
        (&b""[..], -32700),
        (b"nope", -32700),
        (b"\xef\xbb\xbf{}", -32700),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", -32700),
        (br#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32600),
        (br#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
        (br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","name":"b"}}"#, -32600),
        (br#"{"jsonrpc":"2.0","id":18446744073709551615,"method":"ping"}"#, -32600),
        (br#"{"jsonrpc":"2.0","id":1,"result":{}}"#, -32600),
    ] {
        let headers = [("content-type", "application/json"), ("accept", "application/json, text/event-stream")];
        let answer = host.send(Method::POST, "/mcp", &headers, body.to_vec()).await;
        let text = String::from_utf8_lossy(body);
        assert_eq!((answer.status, answer.header("content-type")), (400, "application/json"), "{text}");
        assert_eq!(answer.json()["error"]["code"], code, "{text}");
    }
}

#[tokio::test]
async fn b55_accept() {
    let host = tiny(&[]).await;
    let message = call(1, "tiny__steps", &json!({})).to_string().into_bytes();
    for accept in [None, Some("*/*"), Some("application/json"), Some("APPLICATION/JSON;q=0.1")] {
        let mut headers = vec![("content-type", "application/json")];
        headers.extend(accept.map(|accept| ("accept", accept)));
        let answer = host.send(Method::POST, "/mcp", &headers, message.clone()).await;
        assert_eq!((answer.status, answer.header("content-type")), (200, "application/json"), "{accept:?}");
    }
    for accept in [
        "text/html",
        "application/json;q=0",
        "text/event-stream",
        "text/event-stream, application/json;q=0",
        "application/json;q=0.0, */*",
        "*/*;q=0",
        "",
    ] {
        let headers = [("content-type", "application/json"), ("accept", accept)];
        let answer = host.send(Method::POST, "/mcp", &headers, message.clone()).await;
        assert_eq!((answer.status, &answer.json()["id"]), (406, &json!(1)), "{accept}");
    }
    // Progress would make it a stream; a client that takes none gets the answer alone.
    let mut asked = call(1, "tiny__steps", &json!({}));
    asked["params"]["_meta"] = json!({ "progressToken": 5 });
    let headers = [("content-type", "application/json"), ("accept", "application/json")];
    let answer = host.send(Method::POST, "/mcp", &headers, asked.to_string().into_bytes()).await;
    assert_eq!(
        (answer.header("content-type"), &answer.json()["result"]["structuredContent"]),
        ("application/json", &json!({ "result": 3 }))
    );
    let answer = host.mcp("/mcp", &LEGACY, &asked).await;
    assert_eq!(answer.header("content-type"), "text/event-stream");
    let text = String::from_utf8(answer.body.clone()).unwrap();
    assert_eq!(text.matches("notifications/progress").count(), 3, "{text}");
    assert_eq!(answer.message()["result"]["structuredContent"], json!({ "result": 3 }));
}

#[tokio::test]
async fn mcp_tools_narrows_the_list() {
    let host = tiny(&["--mcp-tools", " echo , tiny__nothing"]).await;
    let list = host.mcp("/mcp", &LEGACY, &request(1, "tools/list", &json!({}))).await.json();
    let names: Vec<_> = list["result"]["tools"].as_array().unwrap().iter().map(|tool| &tool["name"]).collect();
    assert_eq!(names, ["tiny__echo", "tiny__nothing"]);
    let hidden = host.mcp("/mcp", &LEGACY, &call(1, "tiny__boom", &json!({}))).await.json();
    assert_eq!(hidden["error"]["code"], -32602);
    assert_eq!(host.post("/call/tiny__picture", &json!({})).await.status, 200);
    let host = tiny(&["--no-mcp"]).await;
    assert_eq!(host.mcp("/mcp", &LEGACY, &request(1, "tools/list", &json!({}))).await.status, 404);
    assert_eq!(host.get("/health").await.json()["nodecast"]["mcp"]["state"], "off");
}

#[tokio::test]
async fn b58_a_modern_disconnect_cancels_and_an_older_one_does_not() {
    let host = tiny(&[]).await;
    let asked =
        modern(1, "tools/call", Some("tiny__slow"), json!({ "name": "tiny__slow", "arguments": { "ms": 600 } }));
    let brief = Duration::from_millis(200);
    assert!(tokio::time::timeout(brief, host.ask(&asked)).await.is_err());
    let older = call(1, "tiny__slow", &json!({ "ms": 600 }));
    assert!(tokio::time::timeout(brief, host.mcp("/mcp", &LEGACY, &older)).await.is_err());
    tokio::time::sleep(Duration::from_millis(800)).await;
    let counts = host.post("/call/tiny__counts", &json!({})).await.json();
    assert_eq!(counts["outputs"], json!({ "started": 2, "ended": 1, "dropped": 1 }));
}

/// rmcp's client, which asks in the newer era first unless it is told the older one.
#[derive(Clone, Default)]
pub(crate) struct Client {
    pub(crate) older: bool,
    pub(crate) progress: std::sync::Arc<std::sync::atomic::AtomicUsize>,
}

impl rmcp::ClientHandler for Client {
    fn get_info(&self) -> ClientConfig {
        let mut info = ClientConfig::default();
        info.client_info = Implementation::new("test", "1.0");
        if self.older {
            info.protocol_version = ProtocolVersion::V_2025_11_25;
        }
        info
    }

    async fn on_progress(&self, _: ProgressNotificationParam, _: rmcp::service::NotificationContext<rmcp::RoleClient>) {
        self.progress.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
    }
}

#[tokio::test]
async fn the_official_client_in_both_eras() {
    let host = tiny(&[]).await;
    for older in [true, false] {
        let transport = StreamableHttpClientTransport::from_uri(format!("{}/mcp", host.url));
        let client = Client { older, ..Client::default() }.serve(transport).await.unwrap();
        let tools = client.list_all_tools().await.unwrap();
        assert_eq!(tools.len(), 10);
        let arguments = json!({ "text": "hi", "count": 2 }).as_object().cloned();
        let mut params = CallToolRequestParams::new("tiny__echo");
        params.arguments = arguments;
        let result = client.call_tool(params).await.unwrap();
        assert_eq!(result.structured_content, Some(json!({ "result": "hi-hi" })), "older: {older}");
        let result = client.call_tool(CallToolRequestParams::new("tiny__boom")).await.unwrap();
        assert_eq!(result.is_error, Some(true));
        client.cancel().await.unwrap();
    }
}
