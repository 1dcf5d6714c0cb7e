//! A listener of ours beside the routes that another application mounts: the same requests, and the same bytes.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use conformance::Conformance;
use nodecast_tests::{call, initialize, request};
use serde_json::{Value as Json, json};

use crate::conformance;

const ORIGIN: &str = "https://app.example";

/// The answer to a request: its head without the moment at which it was given, and its body.
fn answer(authority: &str, request: &[u8]) -> (String, Vec<u8>) {
    let mut stream = TcpStream::connect(authority).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    stream.write_all(request).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let end = answer.windows(4).position(|window| window == b"\r\n\r\n").unwrap();
    let body = answer.split_off(end + 4);
    let head = String::from_utf8(answer).unwrap();
    let mut lines: Vec<_> = head.trim_end().split("\r\n").filter(|line| !line.starts_with("date: ")).collect();
    // The order of headers means nothing (RFC 9110, 5.3).
    lines[1..].sort_unstable();
    (lines.join("\n"), body)
}

fn sent(method: &str, path: &str, headers: &[&str], body: &[u8]) -> Vec<u8> {
    let (first, length) = (format!("{method} {path} HTTP/1.1"), format!("Content-Length: {}", body.len()));
    let lines = [&[&*first, "Host: localhost", "Connection: close"], headers, &[&*length, "", ""]].concat();
    let head = lines.join("\r\n");
    [head.as_bytes(), body].concat()
}

fn requests() -> Vec<Vec<u8>> {
    const JSON: &str = "Content-Type: application/json";
    const PACKED: &str = "Content-Type: application/msgpack";
    let (text, broken) = ("/call/test_simple_text", "/call/test_error_handling");
    let paths = [
        text,
        broken,
        "/call/test_simple_text/",
        "/call/test%5Fsimple_text",
        "/call/%ff",
        "/call/",
        "/call",
        "/call/nothing",
        "/call/test.simple.text",
        "/call/test_simple_text//",
        "/call/test_simple_text/more",
        "//call/test_simple_text",
        "/call/test_simple_text?a=b",
        "/mcp",
        "/mcp/",
        "/mcp/more",
        "/call/mcp",
        "/health",
        "/nowhere",
    ];
    let mut all = Vec::new();
    for path in paths {
        for method in ["POST", "GET", "HEAD", "DELETE", "PUT", "OPTIONS"] {
            all.push(sent(method, path, &[JSON], b"{}"));
        }
        let preflight = "Access-Control-Request-Method: POST";
        for origin in [ORIGIN, "https://evil.test", "http://localhost"].map(|origin| format!("Origin: {origin}")) {
            all.push(sent("POST", path, &[JSON, &origin], b"{}"));
            all.push(sent("OPTIONS", path, &[&origin, preflight], b""));
        }
    }
    let heads = [
        vec![JSON],
        vec![PACKED],
        vec!["Content-Type: text/plain"],
        vec![JSON, "Content-Encoding: gzip"],
        vec![JSON, "Host: localhost"],
        vec!["Content-Type: application/json; charset=latin1"],
        vec![],
    ];
    for head in heads {
        for body in [&b""[..], b"{}", b"\x80", b"{\"inputs\":{}}", b"{\"text\":1}", b"[1", b"\xff"] {
            all.push(sent("POST", text, &head, body));
            all.push(sent("POST", "/mcp", &head, body));
        }
    }
    let messages: [Json; 7] = [
        call(1, "test_simple_text", &json!({})),
        call(2, "test_error_handling", &json!({})),
        call(3, "nothing", &json!({})),
        request(4, "tools/list", &json!({})),
        request(5, "tools/nothing", &json!({})),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        json!({ "jsonrpc": "2.0", "id": 6, "result": {} }),
    ];
    for message in messages {
        for version in ["2025-11-25", "2026-07-28", "1999-01-01"] {
            let version = format!("Mcp-Protocol-Version: {version}");
            let accept = "Accept: application/json, text/event-stream";
            all.push(sent("POST", "/mcp", &[JSON, accept, &version], message.to_string().as_bytes()));
        }
    }
    // Of a handshake the session's id differs, so it is left to the tests of sessions; a wrong one answers alike.
    let mut hello = initialize(1, "front");
    hello["params"] = json!({});
    all.push(sent("POST", "/mcp", &[JSON], hello.to_string().as_bytes()));
    all
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_listener_of_ours_answers_as_the_mounted_routes_do() {
    let host = conformance(&["--allow-origin", ORIGIN]).await;
    let options = nodecast::serve::Options { allow_origin: vec![ORIGIN.to_owned()], ..Default::default() };
    let routes = nodecast::Host::new().nodeset::<Conformance>(()).options(options).into_router().await.unwrap();
    let mounted = nodecast_tests::serve(routes).await.replace("http://", "");
    tokio::task::spawn_blocking(move || {
        for request in requests() {
            let (ours, theirs) = (answer(host.authority(), &request), answer(&mounted, &request));
            // What the health report tells of the time is the only other difference.
            if String::from_utf8_lossy(&ours.1).contains("uptime_s") {
                continue;
            }
            assert_eq!(ours, theirs, "{}", String::from_utf8_lossy(&request));
        }
    })
    .await
    .unwrap();
}
