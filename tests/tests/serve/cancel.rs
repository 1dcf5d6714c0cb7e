//! Calls that nobody wants any more, in both eras and on each transport (faults B58, B59, T21).

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use nodecast_tests::{Host, Stdio, call, initialize, modern, request};
use serde_json::{Value as Json, json};

use crate::{HOST, tiny};

/// Started, ended, dropped.
async fn counts(host: &Host) -> [u64; 3] {
    let outputs = host.post("/call/tiny__counts", &json!({})).await.json()["outputs"].clone();
    ["started", "ended", "dropped"].map(|name| outputs[name].as_u64().unwrap())
}

/// Waits until the counts are these, and for how long.
async fn become_so(host: &Host, right: [u64; 3]) -> Duration {
    let began = Instant::now();
    loop {
        let now = counts(host).await;
        if now == right {
            return began.elapsed();
        }
        assert!(began.elapsed() < Duration::from_secs(5), "{now:?}, and not {right:?}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// A call of the slow node, as bytes on a connection of its own.
fn slow(host: &Host, ms: u64, modern: bool, stream: bool) -> TcpStream {
    let mut message = call(7, "tiny__slow", &json!({ "ms": ms }));
    let mut headers = String::from("MCP-Protocol-Version: 2025-11-25\r\n");
    let mut meta = json!({});
    if modern {
        "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: tiny__slow\r\n"
            .clone_into(&mut headers);
        meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
        });
    }
    if stream {
        meta["progressToken"] = json!(1);
    }
    message["params"]["_meta"] = meta;
    let body = message.to_string();
    let accept = if stream { "application/json, text/event-stream" } else { "application/json" };
    let request = format!(
        "POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nAccept: {accept}\r\n{headers}\
         Content-Length: {}\r\n\r\n{body}",
        host.authority(),
        body.len()
    );
    let mut connection = TcpStream::connect(host.authority()).unwrap();
    connection.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    connection.write_all(request.as_bytes()).unwrap();
    connection
}

#[tokio::test]
async fn b58_a_modern_disconnect_cancels_at_once_in_both_forms() {
    let host = tiny(&[]).await;
    let mut dropped = 0;
    for stream in [false, true] {
        for wait in [0, 300] {
            let connection = slow(&host, 20_000, true, stream);
            become_so(&host, [dropped + 1, 0, dropped]).await;
            tokio::time::sleep(Duration::from_millis(wait)).await;
            drop(connection);
            dropped += 1;
            let took = become_so(&host, [dropped, 0, dropped]).await;
            // 100 ms is what is right; the rest is for a machine under load.
            assert!(took < Duration::from_secs(1), "{took:?}");
        }
    }
    assert_eq!(host.get("/health").await.json()["nodecast"]["in_flight"], 0);
}

#[tokio::test]
async fn b58_an_older_disconnect_lets_the_call_run_on() {
    let host = tiny(&[]).await;
    for (at, stream) in [false, true].into_iter().enumerate() {
        let at = at as u64;
        let connection = slow(&host, 700, false, stream);
        become_so(&host, [at + 1, at, 0]).await;
        connection.shutdown(Shutdown::Both).unwrap();
        drop(connection);
        become_so(&host, [at + 1, at + 1, 0]).await;
    }
}

#[tokio::test]
async fn b58_a_call_that_has_answered_is_not_cancelled_by_its_end() {
    let host = tiny(&[]).await;
    let mut connection = slow(&host, 50, true, false);
    let mut head = [0; 12];
    connection.read_exact(&mut head).unwrap();
    assert_eq!(&head, b"HTTP/1.1 200");
    drop(connection);
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(counts(&host).await, [1, 1, 0]);
}

/// Another client's notice about the same id, and notices about nothing, change nothing.
#[tokio::test]
async fn b59_nobody_cancels_the_call_of_another() {
    let host = tiny(&[]).await;
    let mut connection = slow(&host, 600, false, false);
    become_so(&host, [1, 0, 0]).await;
    for id in [json!(7), json!("7"), json!(8), json!(null)] {
        let notice = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } });
        let answer = host.mcp("/mcp", &[], &notice).await;
        assert!(matches!(answer.status, 202 | 400), "{id}: {}", answer.status);
    }
    let mut answer = vec![0; 2048];
    let length = connection.read(&mut answer).unwrap();
    let answer = String::from_utf8_lossy(&answer[..length]).into_owned();
    assert!(answer.starts_with("HTTP/1.1 200") && !answer.contains("cancelled"), "{answer}");
    assert_eq!(counts(&host).await, [1, 1, 0]);
}

/// On stdio a notice cancels: before the start, after the end, twice, of unknown ids; what was cancelled has no answer.
#[test]
fn b59_races_of_cancellation_on_stdio() {
    let mut host = Stdio::start(HOST, &["--nodeset", "tiny"]);
    let cancel = |id: Json| json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id, "reason": "no" } });
    assert_eq!(host.ask(&initialize(1, "stdio"))["id"], 1);
    host.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    // Before there is such a request: it is another one that comes later.
    host.send(&cancel(json!(2)));
    let answer = host.ask(&call(2, "tiny__slow", &json!({ "ms": 10 })));
    assert_eq!((&answer["id"], answer["result"].get("isError").unwrap_or(&json!(false))), (&json!(2), &json!(false)));
    host.send(&cancel(json!(2)));
    host.send(&cancel(json!("unknown")));
    host.send(&call(3, "tiny__slow", &json!({ "ms": 20_000 })));
    let mut id = 10;
    while host.ask(&call(id, "tiny__counts", &json!({})))["result"]["structuredContent"]["started"] != 2 {
        id += 1;
    }
    host.send(&cancel(json!(3)));
    host.send(&cancel(json!(3)));
    let dropped = loop {
        id += 1;
        let answer = host.ask(&call(id, "tiny__counts", &json!({})));
        assert_ne!(answer["id"], 3, "what was cancelled has no answer: {answer}");
        if answer["result"]["structuredContent"]["dropped"] == 1 {
            break answer;
        }
    };
    assert_eq!(dropped["result"]["structuredContent"], json!({ "started": 2, "ended": 1, "dropped": 1 }));
    assert_eq!(host.ask(&request(99, "ping", &json!({})))["id"], 99);
    let ended = host.end();
    assert!(ended.lines.is_empty(), "{ended:?}");
    assert_eq!(ended.code, Some(0));
}

/// The same of a subscription: it tells no more, and has no answer.
#[test]
fn b59_a_cancelled_subscription_tells_no_more() {
    let mut host = Stdio::start(HOST, &["--nodeset", "conformance"]);
    let message = |id: i64, method: &str, params: Json| modern(id, method, None, params).message;
    let change = || json!({ "name": "test_trigger_tool_change" });
    assert_eq!(host.ask(&message(1, "server/discover", json!({})))["id"], 1);
    let listen = message(9, "subscriptions/listen", json!({ "notifications": { "toolsListChanged": true } }));
    assert_eq!(host.ask(&listen)["method"], "notifications/subscriptions/acknowledged");
    // The note and the answer, in whatever order.
    let told = [host.ask(&message(10, "tools/call", change())), host.receive()];
    assert!(told.iter().any(|message| message["method"] == "notifications/tools/list_changed"), "{told:?}");
    host.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 9 } }));
    assert_eq!(host.ask(&message(11, "tools/call", change()))["id"], 11);
    let ended = host.end();
    assert!(ended.lines.is_empty(), "{ended:?}");
    assert_eq!(ended.code, Some(0));
}
