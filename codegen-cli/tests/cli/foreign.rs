//! Servers that are not ours, at a URL and as a command: what of their tools some client cannot take (`contract.md` 5,
//! `mcp.md` 2), and ours over stdio, which tells its contract.

use serde_json::{Value, json};

use crate::support::{answering, cli, failed, run, succeeded, vision};

/// A server over stdio that lists what it is given, and has nothing else.
const LISTING: &str = "scripts/clients/listing.sh";

/// The same over HTTP, without sessions.
fn listing(list: &Value) -> String {
    let list = list.clone();
    answering(move |_, message| match message["method"].as_str() {
        Some("tools/list") => (200, json!({"jsonrpc": "2.0", "id": message["id"], "result": list})),
        _ => (404, json!({"error": "nothing here"})),
    })
}

fn list(tools: &[Value]) -> Value {
    json!({ "tools": tools })
}

fn named(name: &str) -> Value {
    json!({"name": name, "description": "Does.", "inputSchema": {"type": "object", "properties": {}}})
}

fn of(schema: Value) -> Value {
    let mut tool = named("t");
    tool["inputSchema"] = schema;
    list(&[tool])
}

fn property(schema: &Value) -> Value {
    of(json!({"type": "object", "properties": {"a": schema}}))
}

/// What the official Inspector passes with `--strict`, by our rule: it looks at the keywords of schemas alone.
fn missed() -> [(&'static str, Value); 9] {
    let mut hidden = named("t");
    hidden["description"] = json!("Does.\u{e0041}");
    [
        ("dangling_ref", property(&json!({"$ref": "#/$defs/Gone"}))),
        ("ref_outside_defs", property(&json!({"$ref": "#"}))),
        ("root_type", of(json!({"properties": {"a": {"type": "string"}}}))),
        ("bad_name", list(&[named("a b")])),
        ("long_name", list(&[named(&"a".repeat(65))])),
        ("duplicate_name", list(&[named("same"), named("same")])),
        ("unknown_format", property(&json!({"type": "integer", "format": "uint64"}))),
        ("wrong_default", property(&json!({"type": "integer", "default": "1"}))),
        ("hidden_text", list(&[hidden])),
    ]
}

/// What it finds.
fn found() -> [(&'static str, Value); 8] {
    [
        ("boolean_schema", property(&json!(true))),
        ("boolean_schema", property(&json!(false))),
        ("type_array", property(&json!({"type": ["string", "null"]}))),
        ("remote_ref", property(&json!({"$ref": "https://example.com/a.json"}))),
        ("untyped_schema", property(&json!({"description": "Anything."}))),
        ("untyped_schema", property(&json!({"nullable": true}))),
        ("type_array", property(&json!({"type": "array", "additionalItems": {"type": ["string", "null"]}}))),
        (
            "remote_ref",
            of(json!({"$id": "", "type": "object", "properties": {"a": {"$ref": "https://example.com/a.json"}}})),
        ),
    ]
}

#[test]
fn each_fault_of_a_foreign_server_is_found_by_url_and_by_command() {
    for (rule, list) in missed().into_iter().chain(found()) {
        let url = listing(&list);
        let text = list.to_string();
        for target in [&[url.as_str()][..], &["--", "sh", LISTING, &text]] {
            let output = run(&[&["lint", "--strict", "--json"][..], target].concat());
            let said = String::from_utf8_lossy(&output.stdout);
            assert_eq!(output.status.code(), Some(6), "{rule}: {said}{}", String::from_utf8_lossy(&output.stderr));
            let found: Value = serde_json::from_str(&said).unwrap();
            let rules: Vec<&Value> = found["findings"].as_array().unwrap().iter().map(|one| &one["rule"]).collect();
            assert_eq!(rules, [rule], "{target:?}");
        }
    }
}

/// The lists of the test above, for `scripts/clients/run`, which holds the Inspector to them.
#[test]
#[ignore = "writes the folder that NODECAST_LISTS names"]
fn lists_for_the_inspector() {
    let folder = std::path::PathBuf::from(std::env::var("NODECAST_LISTS").unwrap());
    for (kind, lists) in [("missed", &missed()[..]), ("found", &found()[..])] {
        for (nth, (rule, list)) in lists.iter().enumerate() {
            std::fs::write(folder.join(format!("{kind}-{nth}-{rule}.json")), list.to_string()).unwrap();
        }
    }
}

#[test]
fn a_foreign_server_without_faults_has_none() {
    let list = list(&[named("a"), named("b")]);
    let text = list.to_string();
    let url = listing(&list);
    for target in [&[url.as_str()][..], &["--", "sh", LISTING, &text]] {
        let said = succeeded(run(&[&["lint", "--strict"][..], target].concat()));
        assert!(said.contains("every client takes 2 tools"), "{said}");
    }
    let refused = failed(run(&["generate", "python", &url]), 1);
    assert!(refused.contains("no contract"), "{refused}");
    let refused = failed(run(&["inspect", "--projection", "contract", "--", "sh", LISTING, &text]), 2);
    assert!(refused.contains("a server that is not ours"), "{refused}");
}

/// A command is one side of a comparison, and never both.
#[test]
fn a_command_is_compared_with_what_is_named() {
    let address = listing(&list(&[named("a"), named("b")]));
    let url = address.as_str();
    let mut longer = named("a");
    longer["description"] = "Does something. ".repeat(20).into();
    let text = list(&[longer]).to_string();
    let command = ["--", "sh", LISTING, text.as_str()];
    let output = run(&[&["diff", url, "--exit-code"][..], &command[..]].concat());
    assert_eq!(output.status.code(), Some(100), "{}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("the node is gone") && said.contains("cost_risen"), "{said}");
    let said = succeeded(run(&[&["tokens", "--baseline", url, "--json"][..], &command[..]].concat()));
    let said: Value = serde_json::from_str(&said).unwrap();
    assert!(said["tools"][0]["change"].as_i64().unwrap() > 0, "{said}");
    assert!(failed(run(&[&["diff", url, url][..], &command[..]].concat()), 2).contains("cannot be used with"));
    assert!(failed(run(&[&["check"][..], &command[..]].concat()), 2).contains("check looks at a crate"));
}

/// `contract.md` 2: a server over stdio tells its contract by a resource that no list shows, to the byte.
#[test]
fn a_host_over_stdio_tells_its_contract() {
    let over_stdio = |arguments: &[&str]| {
        let mut command = cli(arguments);
        command.args(["--", vision(), "--stdio"]);
        succeeded(command.output().unwrap())
    };
    let printed = succeeded(run(&["inspect", vision(), "--projection", "contract", "--json"]));
    assert_eq!(over_stdio(&["inspect", "--projection", "contract", "--json"]), printed);
    let strict = succeeded(run(&["inspect", vision(), "--profile", "strict", "--json"]));
    let segment = |text: &str| {
        let list: Value = serde_json::from_str(text).unwrap();
        let tool = list["tools"].as_array().unwrap().iter().find(|tool| tool["name"] == "vision__segment").unwrap();
        tool["inputSchema"]["required"].clone()
    };
    let told = segment(&over_stdio(&["inspect", "--profile", "strict", "--json"]));
    assert_eq!((&told, told.as_array().unwrap().len()), (&segment(&strict), 4));
    let client = succeeded(run(&["generate", "ts", vision()]));
    assert_eq!(over_stdio(&["generate", "ts"]), client);
}
