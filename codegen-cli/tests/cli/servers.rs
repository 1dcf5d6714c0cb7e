//! Servers that are not ours, and ours as a particular client sees them: eras, tokens, commands after `--`.

use serde_json::{Value, json};

use crate::support::{Server, answering, cli, failed, run, succeeded, vision};

/// A server of the era without sessions alone, over HTTP: it asks for a token and refuses every handshake as the
/// specification says.
fn newer_only(handshake: (u16, Value)) -> String {
    answering(move |head, message| {
        let result = |result: Value| (200, json!({"jsonrpc": "2.0", "id": message["id"], "result": result}));
        if !head.contains("\r\nauthorization: bearer s3cret\r\n") {
            (401, json!({"error": "a token is missing"}))
        } else if !head.starts_with("post /mcp ") {
            (404, json!({"error": "nothing here"}))
        } else if message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] != "2026-07-28" {
            let (status, error) = &handshake;
            (*status, json!({"jsonrpc": "2.0", "id": message["id"], "error": error}))
        } else {
            match message["method"].as_str() {
                Some("server/discover") => result(json!({
                    "resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}},
                    "ttlMs": 0, "cacheScope": "private",
                    "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "newer", "version": "1"}}
                })),
                Some("tools/list") => result(json!({
                    "resultType": "complete", "ttlMs": 0, "cacheScope": "private",
                    "tools": [{"name": "hum", "inputSchema": {"type": "object", "properties": {}}}]
                })),
                _ => result(json!({
                    "resultType": "complete", "content": [
                        {"type": "audio", "mimeType": "audio/wav", "data": "UklGRg=="}, {"type": "text", "text": "hm"}
                    ]
                })),
            }
        }
    })
}

#[test]
fn a_server_without_sessions_is_found_out_whatever_its_refusal() {
    let unsupported = json!({
        "code": -32022, "message": "unsupported protocol version",
        "data": {"supported": ["2026-07-28"], "requested": "2025-11-25"}
    });
    for handshake in [
        (400, unsupported.clone()),
        (200, unsupported),
        (404, json!({"code": -32601, "message": "Method not found"})),
        (400, json!({"code": -32602, "message": "_meta is missing"})),
        (400, json!({"code": -32020, "message": "header mismatch"})),
    ] {
        let shown = handshake.to_string();
        let address = newer_only(handshake);
        let folder = tempfile::tempdir().unwrap();
        let call = |arguments: &[&str]| {
            cli(&[arguments, &[&address, "--token-env", "T"]].concat())
                .current_dir(folder.path())
                .env("T", "s3cret")
                .output()
                .unwrap()
        };
        assert_eq!(succeeded(call(&["list"])).trim(), "hum", "{shown}");
        let output = cli(&["call", &address, "hum", "--token-env", "T"])
            .current_dir(folder.path())
            .env("T", "s3cret")
            .output()
            .unwrap();
        assert_eq!(succeeded(output).trim(), "hm");
        assert_eq!(std::fs::read(folder.path().join("hum-sound.wav")).unwrap(), b"RIFF");
    }
}

trait Shown {
    fn to_string(&self) -> String;
}

impl Shown for (u16, Value) {
    fn to_string(&self) -> String {
        format!("{} {}", self.0, self.1)
    }
}

#[test]
fn a_token_comes_from_a_file_or_a_variable_and_is_asked_for() {
    let address = newer_only((400, json!({"code": -32022, "message": "unsupported"})));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("token");
    std::fs::write(&file, "s3cret\n").unwrap();
    succeeded(run(&["list", &address, "--token-file", file.to_str().unwrap()]));
    let refused = failed(run(&["list", &address]), 3);
    assert!(refused.contains("asks for a token") && refused.contains("--token-env VARIABLE"), "{refused}");
    let unset = failed(run(&["list", &address, "--token-env", "NO_SUCH_VARIABLE"]), 2);
    assert!(unset.contains("NO_SUCH_VARIABLE: the variable is not set"), "{unset}");
    std::fs::write(&file, "two words\n").unwrap();
    let unread = failed(run(&["list", &address, "--token-file", file.to_str().unwrap()]), 2);
    assert!(unread.contains("holds no token"), "{unread}");
}

#[test]
fn ours_answers_every_revision_alike() {
    let server = Server::start(cli(&["serve", "-p", "vision", "--port", "0"]));
    let picture = "image=@fixtures/vision/photographs/coins.png";
    let without = succeeded(run(&["list", &server.address]));
    let described = succeeded(run(&["call", &server.address, "describe", picture]));
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"] {
        let at = ["--protocol", revision];
        assert_eq!(succeeded(run(&[&["list", &server.address][..], &at].concat())), without, "{revision}");
        let called = [&["call", &server.address, "describe", picture][..], &at].concat();
        assert_eq!(succeeded(run(&called)), described, "{revision}");
        assert_eq!(succeeded(run(&[&["list", vision()][..], &at].concat())), without, "{revision} over stdio");
    }
    let unknown = failed(run(&["list", &server.address, "--protocol", "2025-01-01"]), 2);
    assert!(unknown.contains("2026-07-28"), "{unknown}");
}

#[test]
fn a_command_stands_after_two_dashes() {
    let list = succeeded(run(&["list", "--", vision(), "--stdio"]));
    assert!(list.contains("vision__segment"), "{list}");
    let json = succeeded(run(&["inspect", "--json", "--node", "segment", "--", vision(), "--stdio"]));
    assert_eq!(serde_json::from_str::<Value>(&json).unwrap()["tools"][0]["name"], "vision__segment");
    let refused = failed(run(&["call", "segment", "min_area=2", "--", vision(), "--stdio"]), 1);
    // The hint can be pasted.
    assert!(refused.contains(&format!("inspect --command '{} --stdio' --node segment", vision())), "{refused}");
    let twice = failed(run(&["list", "-p", "vision", "--", "host"]), 2);
    assert!(twice.contains("cannot be used with"), "{twice}");
}

#[test]
fn inspect_prints_the_bytes_that_are_served_in_every_profile() {
    let headers = "accept: application/json\r\nmcp-protocol-version: 2025-11-25\r\n";
    let list = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}"#;
    for fixture in ["vision", "gridworld"] {
        let contract = succeeded(run(&["inspect", "-p", fixture, "--projection", "contract"]));
        let contract: Value = serde_json::from_str(&contract).unwrap();
        let profiles: Vec<&String> = contract["projections"].as_object().unwrap().keys().collect();
        assert!(profiles.len() >= 3, "{profiles:?}");
        for profile in profiles {
            let server = Server::start(cli(&["serve", "-p", fixture, "--port", "0", "--profile", profile]));
            let inspected = succeeded(run(&["inspect", "-p", fixture, "--profile", profile, "--json"]));
            let tools = inspected.trim().strip_prefix('{').unwrap().strip_suffix('}').unwrap();
            assert!(server.post(headers, list).contains(tools), "{fixture} in the profile {profile}: {tools}");
        }
    }
}
