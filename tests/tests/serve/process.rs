//! A host as a process: starting, printing, stdio, and ending in time.

use std::process::{Command, Output};
use std::time::{Duration, Instant};

use nodecast_tests::{Ended, Stdio, call, initialize, modern, request};
use serde_json::{Value as Json, json};

use crate::{HOST, tiny};

fn run(arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    Command::new(HOST).args(arguments).envs(variables.iter().copied()).output().unwrap()
}

#[test]
fn exit_codes_say_why() {
    let ends = |arguments: &[&str], code: i32, text: &str| {
        let output = run(arguments, &[]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
        assert!(said.contains(text), "{arguments:?}: {said}");
    };
    ends(&["--nodeset", "tniy"], 1, "did you mean `tiny`?");
    ends(&["--port", "many"], 2, "--port");
    ends(&["--nodeset", "tiny", "--mcp-tools", "ehco", "--port", "0"], 2, "did you mean `echo`?");
    ends(&["--nodeset", "tiny", "--mcp-tools", "zz", "--port", "0"], 2, "; there are: tiny__");
    ends(&["--nodeset", "tiny", "--mcp-tools", ",", "--port", "0"], 2, "--no-mcp");
    ends(&["--nodeset", "tiny", "--name", "", "--port", "0"], 2, "--name is empty");
    ends(&["--nodeset", "tiny", "--allow-origin", "http://app:0", "--port", "0"], 2, "--allow-origin");
    ends(&["--nodeset", "tiny", "--allow-origin", "app", "--port", "0"], 2, "--allow-origin");
    ends(&["--nodeset", "desk", "--set", "broken=true", "--port", "0"], 3, "the desk is broken");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    ends(&["--nodeset", "tiny", "--port", &port], 4, "--port");
    // An address of no machine of ours; a documentation range (RFC 5737).
    ends(&["--nodeset", "tiny", "--host", "203.0.113.7", "--unsafe-no-auth", "--port", "0"], 2, "--host");
    ends(&["--nodeset", "tiny", "--host", "example.com", "--port", "0"], 2, "localhost");
    for limit in
        ["--max-in-flight", "--max-connections", "--max-body", "--max-reply", "--max-mcp-body", "--max-sessions"]
    {
        ends(&["--nodeset", "tiny", limit, "0", "--port", "0"], 2, limit);
    }
    for limit in ["--header-timeout", "--write-timeout", "--idle-timeout", "--call-timeout"] {
        ends(&["--nodeset", "tiny", limit, "0s", "--port", "0"], 2, limit);
    }
    ends(&["--nodeset", "tiny", "--call-timeout", "1e15s", "--port", "0"], 2, "365 days");
    let help = run(&["--help"], &[]);
    assert_eq!(help.status.code(), Some(0));
    assert!(String::from_utf8(help.stdout).unwrap().contains("Examples:"));
}

/// A flag is nowhere where its variable is set, and whoever reads the error looks for what he wrote.
#[cfg(unix)]
#[test]
fn what_a_variable_says_wrong_is_said_with_its_name() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let wild = OsStr::from_bytes(b"x\xff");
    let ends = |variable: &OsStr, value: &OsStr, arguments: &[&str]| {
        let output = Command::new(HOST).args(arguments).env(variable, value).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    for (variable, value) in [
        ("NODECAST_PORT", OsStr::new("x")),
        ("NODECAST_UNSAFE_NO_AUTH", OsStr::new("perhaps")),
        ("NODECAST_PROFILE", OsStr::new("none")),
        ("NODECAST_NAME", wild),
        ("DESK__PIN", wild),
    ] {
        let (code, said) = ends(OsStr::new(variable), value, &["--nodeset", "desk"]);
        assert!(code == Some(2) && said.contains(variable), "{variable}: {said}");
    }
    // What is wrong with an argument is about the argument, and the variable of a flag that is given is not read.
    let (code, said) = ends(OsStr::new("NODECAST_PORT"), OsStr::new("x"), &["--port", "many"]);
    assert!(code == Some(2) && !said.contains("NODECAST_PORT"), "{said}");
    // What is not ours need not be text; the setting is what ends it.
    for (variable, value) in [(OsStr::new("OTHER"), wild), (wild, OsStr::new("x"))] {
        let (code, said) = ends(variable, value, &["--nodeset", "desk", "--set", "totl=5", "--port", "0"]);
        assert!(code == Some(2) && said.contains("/totl"), "{said}");
    }
}

#[test]
fn an_empty_variable_is_none() {
    let names = ["PORT", "HOST", "REFERENCE", "UNSAFE_NO_AUTH", "NAME", "GRACE"];
    let names = names.map(|name| format!("NODECAST_{name}"));
    let mut empty: Vec<_> = names.iter().map(|name| (name.as_str(), "")).collect();
    empty.extend([("NODECAST_PRINT", "manifest"), ("NODECAST_NODESET", "tiny")]);
    let output = run(&[], &empty);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn projections_are_printed_without_serving() {
    let print = |what: &str, nodeset: &str| {
        let output = run(&["--not-a-flag"], &[("NODECAST_PRINT", what), ("NODECAST_NODESET", nodeset)]);
        (output.status.code(), output.stdout)
    };
    for what in ["contract", "manifest", "mcp", "schema", "policy"] {
        let (code, one) = print(what, "tiny");
        assert_eq!(code, Some(0), "{what}");
        let one: Json = serde_json::from_slice(&one).unwrap();
        let (_, all) = print(&format!("{what}:all"), "desk,tiny");
        let all: Json = serde_json::from_slice(&all).unwrap();
        assert_eq!(all["tiny"], one, "{what}");
        assert_eq!(all.as_object().unwrap().keys().collect::<Vec<_>>(), ["desk", "tiny"]);
    }
    assert_eq!(print("contract", "tiny,desk").0, Some(2));
    assert_eq!(print("nothing", "tiny").0, Some(2));
}

#[tokio::test]
async fn what_is_printed_is_what_is_served() {
    let host = tiny(&[]).await;
    let print = |what: &str| run(&[], &[("NODECAST_PRINT", what), ("NODECAST_NODESET", "tiny")]).stdout;
    assert_eq!(print("contract"), host.get("/contract").await.body);
    let served = host.get("/manifest").await.json();
    assert_eq!(serde_json::from_slice::<Json>(&print("manifest")).unwrap(), served);
    let list = host.mcp("/mcp", &[], &request(1, "tools/list", &json!({}))).await.json();
    let printed: Json = serde_json::from_slice(&print("mcp")).unwrap();
    assert_eq!(printed["tools"], list["result"]["tools"]);
}

/// A conversation on standard input.
fn stdio(arguments: &[&str], lines: &[String]) -> Ended {
    Stdio::start(HOST, arguments).converse((lines.join("\n") + "\n").into_bytes())
}

#[test]
fn b71_b73_stdio_survives_bad_lines_and_drains() {
    let lines = [
        initialize(1, "stdio").to_string(),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string(),
        "garbage".to_owned(),
        "[]".to_owned(),
        json!({ "jsonrpc": "2.0", "id": 2, "method": "no/such/method" }).to_string(),
        json!({ "jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {} }).to_string(),
        json!({ "jsonrpc": "1.0", "id": 4, "method": "ping" }).to_string(),
        request(5, "tools/list", &json!({})).to_string(),
        call(6, "desk__add", &json!({ "by": 5 })).to_string(),
        call(7, "desk__wait", &json!({ "ms": 300 })).to_string(),
    ];
    let ended = stdio(&["--nodeset", "desk", "--nodeset", "tiny"], &lines);
    assert_eq!(ended.code, Some(0));
    assert_eq!(ended.answer(1)["result"]["protocolVersion"], "2025-11-25");
    assert_eq!(ended.answer(2)["error"]["code"], -32601);
    assert_eq!(ended.answer(3)["error"]["code"], -32602);
    assert_eq!(ended.answer(4)["error"]["code"], -32600);
    assert_eq!(ended.answer(5)["result"]["tools"].as_array().unwrap().len(), 17);
    assert_eq!(ended.answer(6)["result"]["structuredContent"], json!({ "result": 5 }));
    // In flight at the end of the input, and answered.
    assert_eq!(ended.answer(7)["result"]["structuredContent"], json!({}));
    assert_eq!(ended.lines.len(), 7);
}

#[test]
fn stdio_in_the_newer_era() {
    let discover = modern(1, "server/discover", None, json!({})).message;
    let add = modern(2, "tools/call", None, json!({ "name": "desk__add", "arguments": { "by": 1 } })).message;
    let ended = stdio(&["--nodeset", "desk"], &[discover.to_string(), add.to_string()]);
    assert_eq!(ended.code, Some(0));
    assert!(ended.answer(1)["result"]["supportedVersions"].as_array().unwrap().contains(&json!("2026-07-28")));
    assert_eq!(ended.answer(2)["result"]["structuredContent"], json!({ "result": 1 }));
}

#[test]
fn b73_stdio_ends_within_the_grace_period() {
    let began = Instant::now();
    let lines = [
        initialize(1, "stdio").to_string(),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string(),
        call(2, "desk__wait", &json!({ "ms": 60_000 })).to_string(),
    ];
    // One nodeset: the start of all of them, in a debug build, is no part of the end.
    let ended = stdio(&["--nodeset", "desk", "--grace", "500ms"], &lines);
    assert_eq!(ended.code, Some(0));
    assert_eq!(ended.answer(2)["result"]["_meta"]["nodecast/stage"], "cancelled");
    assert!(began.elapsed() < Duration::from_secs(4), "{:?}", began.elapsed());
}
