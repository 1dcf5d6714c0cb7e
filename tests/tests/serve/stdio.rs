//! Only messages on standard output, whatever stands on standard input (faults T35 and B71).

use std::io::Write as _;
use std::process::{self, Command};

use nodecast_tests::{Ended, Host, Stdio, call, initialize, modern, request};
use serde_json::{Value as Json, json};

use crate::HOST;

/// A conversation in bytes.
fn conversation(nodeset: &str, input: Vec<u8>) -> Ended {
    Stdio::start(HOST, &["--nodeset", nodeset]).converse(input)
}

fn hello() -> Vec<u8> {
    let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    format!("{}\n{initialized}\n", initialize(1, "stdio")).into_bytes()
}

#[test]
fn t35_what_a_node_prints_is_no_message() {
    let mut input = hello();
    input.extend(format!("{}\n", call(2, "shown__prints", &json!({ "text": "hi" }))).bytes());
    input.extend(format!("{}\n", request(3, "tools/list", &json!({}))).bytes());
    let ended = conversation("shown", input);
    assert_eq!((ended.code, ended.lines.len()), (Some(0), 3), "{ended:?}");
    assert_eq!(ended.answer(2)["result"]["structuredContent"], json!({ "result": "hi true" }));
    assert!(ended.answer(3)["result"]["tools"].is_array());
    for printed in ["printed at the start", "printed by a node", "and half a line", "printed by a process"] {
        assert!(ended.log.contains(printed), "{printed}: {}", ended.log);
    }
}

/// `contract.md` 2: to the byte as it is printed, and in no list.
#[test]
fn the_contract_is_told_and_listed_nowhere() {
    let mut input = hello();
    let asks = [(2, "resources/read", json!({ "uri": "nodecast://contract" })), (3, "resources/list", json!({}))];
    for (id, method, params) in asks {
        input.extend(format!("{}\n", request(id, method, &params)).bytes());
    }
    let ended = conversation("tiny", input);
    let told = ended.answer(2);
    let printed =
        Command::new(HOST).env("NODECAST_PRINT", "contract").env("NODECAST_NODESET", "tiny").output().unwrap();
    let contents = &told["result"]["contents"][0];
    assert_eq!(contents["text"], String::from_utf8(printed.stdout).unwrap());
    assert_eq!((&contents["uri"], &contents["mimeType"]), (&json!("nodecast://contract"), &json!("application/json")));
    assert!(!ended.answer(3).to_string().contains("nodecast://contract"));
}

/// Whatever comes before the handshake, the process lives and the next valid line is answered.
#[test]
fn b71_what_comes_before_the_handshake() {
    let early = [
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 7 } }),
        json!({ "jsonrpc": "2.0", "id": 8, "result": {} }),
        request(9, "initialize", &json!({ "protocolVersion": "2025-11-25", "capabilities": 5 })),
    ];
    let mut input: Vec<u8> = early.iter().flat_map(|line| format!("{line}\n").into_bytes()).collect();
    input.extend(hello());
    input.extend(format!("{}\n", call(2, "tiny__echo", &json!({ "text": "hi" }))).bytes());
    let ended = conversation("tiny", input);
    assert_eq!((ended.code, ended.lines.len()), (Some(0), 3), "{ended:?}");
    let refused = ended.answer(9)["error"].clone();
    assert_eq!(refused["code"], -32602, "{refused}");
    assert!(refused["message"].as_str().unwrap().contains("`/params/capabilities` must be an object"), "{refused}");
    assert_eq!(ended.answer(2)["result"]["structuredContent"]["result"], "hi");
}

/// `mcp.md` 3: a request of the newer era gets log messages where it asks for them itself.
#[tokio::test]
async fn a_level_that_was_set_is_none_of_the_newer_era() {
    let (mut client, _host) = Host::beside_stdio(HOST, &["--nodeset", "tiny"]);
    client.ask(&initialize(1, "stdio"));
    client.ask(&request(2, "logging/setLevel", &json!({ "level": "info" })));
    let newer = modern(3, "tools/call", Some("tiny__steps"), json!({ "name": "tiny__steps" })).message;
    let answer = client.ask(&newer);
    assert_eq!((&answer["id"], &answer["result"]["structuredContent"]), (&json!(3), &json!({ "result": 3 })));
    assert_eq!(client.ask(&call(4, "tiny__steps", &json!({})))["method"], "notifications/message");
}

#[test]
fn t35_b71_lines_of_every_kind() {
    let echo = |id: i64, text: &str| call(id, "tiny__echo", &json!({ "text": text })).to_string();
    let mut input = hello();
    let mut line = |bytes: &[u8]| {
        input.extend(bytes);
        input.push(b'\n');
    };
    line(b"");
    line(b"   \t ");
    line(b"garbage");
    line(b"\xff\xfe");
    line(format!("\u{feff}{}", echo(10, "behind a mark of byte order")).as_bytes());
    line(b"{\"jsonrpc\":\"2.0\",\"id\":11,\"method\":\"ping\0\"}");
    line(b"\0\0\0");
    line([b"[".repeat(10_000), b"]".repeat(10_000)].concat().as_slice());
    line(&vec![b'x'; 17 << 20]);
    line(format!("[{}]", echo(12, "a batch")).as_bytes());
    line(b"{\"jsonrpc\":\"2.0\",\"method\":\"tools/call\",\"params\":{\"name\":\"tiny__echo\"}}");
    // What is no more than unusual.
    line(format!("{}\r", echo(2, "carriage return")).as_bytes());
    line(format!("  {}\t", echo(3, "spaces")).as_bytes());
    line(echo(4, "line\u{2028}and\u{2029}paragraph").as_bytes());
    line(echo(5, "nul \u{0} and \n").as_bytes());
    let text = "y".repeat((64 << 10) + 1);
    line(echo(6, &text).as_bytes());
    let longer = "z".repeat(1 << 20);
    line(echo(7, &longer).as_bytes());
    line(request(8, "ping", &Json::Null).to_string().as_bytes());
    line(request(9, "tools/call", &json!({})).to_string().as_bytes());
    // No line at all, since it has no end.
    input.extend(echo(13, "cut").bytes());
    let ended = conversation("tiny", input);
    assert_eq!(ended.code, Some(0), "{}", ended.log);
    let said = |id| ended.answer(id)["result"]["structuredContent"]["result"].clone();
    assert_eq!((said(2), said(3)), (json!("carriage return"), json!("spaces")));
    assert_eq!((said(4), said(5)), (json!("line\u{2028}and\u{2029}paragraph"), json!("nul \u{0} and \n")));
    assert_eq!(said(6), json!(text));
    assert_eq!(said(7).as_str().map(str::len), Some(1 << 20));
    assert_eq!(ended.answer(8)["result"], json!({}));
    assert_eq!(ended.answer(9)["error"]["code"], -32602);
    assert_eq!(ended.lines.len(), 9, "{ended:?}");
    let log = &ended.log;
    assert!(log.contains("a line that is no message") && log.contains("too long"), "{log}");
}

/// A client that reads no more does not keep the host from ending, and does not kill it with a signal.
#[test]
fn t35_a_client_that_closed_its_end() {
    let mut child = Command::new(HOST)
        .args(["--stdio", "--nodeset", "tiny"])
        .stdin(process::Stdio::piped())
        .stdout(process::Stdio::piped())
        .stderr(process::Stdio::null())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(&hello()).unwrap();
    for id in 2..20 {
        let _ = writeln!(stdin, "{}", call(id, "tiny__echo", &json!({ "text": "into the void" })));
    }
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// Fault T25 on this transport: what a caller and the environment told is in neither stream, and a panic's text is not on
/// standard output.
#[test]
fn t25_secrets_reach_no_sink_on_stdio() {
    let mut input = hello();
    let calls = [
        call(2, "desk__add", &json!({ "by": "CANARY-argument" })),
        call(4, "desk__crash", &json!({})),
        call(5, "desk__add", &json!({ "by": 1 })),
    ];
    for call in calls {
        input.extend(format!("{call}\n").bytes());
    }
    let mut command = Command::new(HOST);
    command.args(["--nodeset", "desk", "--log", "json"]).env("RUST_LOG", "info,rmcp=off");
    let ended = Stdio::of(command.env("DESK__PIN", "CANARY-environment")).converse(input);
    let (said, log) = (ended.lines.join("\n"), &ended.log);
    assert!(!log.contains("CANARY"), "{log}");
    assert!(log.contains("has_pin\":true") && log.contains("desk__crash"), "{log}");
    assert!(!said.contains("CANARY-environment") && !said.contains("\"secret\""), "{said}");
    assert_eq!(ended.lines.len(), 4, "{said}");
    assert_eq!(ended.answer(4)["result"]["_meta"]["nodecast/stage"], "internal_runtime");
    assert!(!ended.answer(4).to_string().contains("secret"), "a panic's text stays in the log");
}
