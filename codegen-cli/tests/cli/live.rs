//! Live applications from a shell: `call BINARY`, the exposure of a binary, and the commands of the tutorial.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use serde_json::{Value, json};

use crate::support::{failed, path, root, run, succeeded};

/// Builds a fixture into the target folder of this run.
fn built(name: &str, features: &[&str]) -> String {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "-p", name]).args(features).current_dir(root());
    assert!(cargo.status().unwrap().success());
    path(&Path::new(env!("CARGO_BIN_EXE_codegen-cli")).with_file_name(name)).to_owned()
}

/// The cart without the traced tools, and after it the store with them: one build at a time, since both write the same
/// library.
pub(crate) fn fixtures() -> &'static (String, String) {
    static BUILT: OnceLock<(String, String)> = OnceLock::new();
    BUILT.get_or_init(|| (built("cart", &[]), built("store", &["--features", "trace"])))
}

const TWO: &str = r#"{"messages":[{"message":"add_item","args":{"sku":"a","unit_price":250,"quantity":2}},{"message":"set_discount","args":{"percent":10}}]}"#;

#[test]
#[ignore = "builds two applications with features of their own: `.ci/full review`"]
fn r21_one_call_from_a_shell() {
    let (cart, store) = fixtures();
    for era in ["older", "newer"] {
        let called = succeeded(run(&["call", cart, "dispatch", TWO, "--era", era]));
        assert!(called.ends_with("v3: subtotal=500, discount=50, total=450\n"), "{called}");
    }
    let explained = succeeded(run(&["call", store, "explain", "{\"node\":\"total\"}"]));
    assert!(explained.starts_with("total#"), "{explained}");
    // No state between calls.
    let snapshot = succeeded(run(&["call", cart, "snapshot", "--json"]));
    let snapshot: Value = serde_json::from_str(&snapshot).unwrap();
    assert_eq!(snapshot["structuredContent"]["version"], 1);
    let refused = run(&["call", cart, "dispatch", "message=ad_item"]);
    assert_eq!(refused.status.code(), Some(1));
    let text = String::from_utf8(refused.stdout).unwrap();
    assert!(
        text.starts_with("message 1 of 1 rejected: there is no message `ad_item`, did you mean `add_item`?"),
        "{text}"
    );
    let refused = run(&["call", cart, "dispatch", "message=ad_item", "--json"]);
    assert_eq!(refused.status.code(), Some(1));
    let raw: Value = serde_json::from_slice(&refused.stdout).unwrap();
    assert_eq!((&raw["isError"], &raw["_meta"]["nodecast/stage"]), (&json!(true), &json!("schema_validation")));
    let bad = failed(run(&["call", cart, "dispatch", "{\"message\":"]), 2);
    assert!(bad.contains("line 1 column"), "{bad}");
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("ends");
    fs::write(&script, "#!/bin/sh\necho 'no ground' >&2\nexit 7\n").unwrap();
    executable(&script);
    let ended = failed(run(&["call", path(&script), "snapshot"]), 3);
    assert!(ended.contains("no ground"), "{ended}");
    fs::write(&script, "#!/bin/sh\nexec sleep 60\n").unwrap();
    for asked in [&["snapshot"][..], &["--list"]] {
        let late = failed(run(&[&["call", path(&script), "--timeout", "1"], asked].concat()), 3);
        assert!(late.contains("did not answer in time"), "{late}");
    }
    let file = folder.path().join("arguments.json");
    fs::write(&file, TWO).unwrap();
    let from_file = succeeded(run(&["call", cart, "dispatch", &format!("@{}", path(&file))]));
    assert!(from_file.contains("v3: subtotal=500"), "{from_file}");
}

pub(crate) fn executable(file: &Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
#[ignore = "builds two applications with features of their own: `.ci/full review`"]
fn the_tools_are_listed_with_the_instructions() {
    let listed = succeeded(run(&["call", &fixtures().0, "--list"]));
    assert!(listed.starts_with("A running application. Send messages with `dispatch`"), "{listed}");
    assert!(listed.contains("\ndispatch {message?, args?, messages?}\n"), "{listed}");
    assert!(listed.contains("add_item {sku: string, unit_price: integer >= 0, quantity: integer >= 0}"), "{listed}");
}

#[test]
#[ignore = "builds two applications with features of their own: `.ci/full review`"]
fn r11_nothing_of_the_log_is_in_a_binary_without_it() {
    let (cart, store) = fixtures();
    let names = |binary: &str| {
        let listed = succeeded(run(&["inspect", "--format", "json", "--", binary]));
        let listed: Value = serde_json::from_str(&listed).unwrap();
        let tools = listed["tools"].as_array().unwrap().iter();
        tools.map(|tool| tool["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(cart), ["snapshot", "dispatch", "wait_version"]);
    assert_eq!(names(store), ["snapshot", "dispatch", "wait_version", "explain", "graph", "node"]);
    let unknown = failed(run(&["call", cart, "explain", "node=total"]), 1);
    assert!(unknown.contains("there is no tool `explain`"), "{unknown}");
    let holds = |binary: &str, text: &str| {
        let bytes = fs::read(binary).unwrap();
        bytes.windows(text.len()).any(|window| window == text.as_bytes())
    };
    for symbol in ["nodecast_live5trace", "before the checkpoint"] {
        assert!(holds(store, symbol) && !holds(cart, symbol), "{symbol}");
    }
}

#[test]
#[ignore = "builds two applications with features of their own: `.ci/full review`"]
fn r25_a_binary_prints_what_it_exposes() {
    let (cart, _) = fixtures();
    let printed = succeeded(run(&["inspect", cart, "--projection", "exposure", "--format", "json"]));
    let document: Value = serde_json::from_str(&printed).unwrap();
    let names = |list: &Value| {
        let all = list.as_array().unwrap().iter();
        all.map(|one| one["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(&document["messages"]["CartMsg"]), ["add_item", "remove_item", "set_discount", "clear"]);
    assert_eq!(
        document["exposures"]["CartView"],
        json!({ "values": ["subtotal", "discount", "total"], "nodes": ["rule"] })
    );
    let text = succeeded(run(&["inspect", cart, "--projection", "exposure", "--format", "text"]));
    assert!(text.contains("set_discount {percent: integer >= 0}"), "{text}");
    // What the running application lists.
    let listed = succeeded(run(&["inspect", "--format", "json", "--", cart]));
    let tools: Value = serde_json::from_str(&listed).unwrap();
    let dispatch = tools["tools"].as_array().unwrap().iter().find(|tool| tool["name"] == "dispatch").unwrap();
    let known: Vec<String> =
        serde_json::from_value(dispatch["inputSchema"]["properties"]["message"]["enum"].clone()).unwrap();
    assert_eq!(known, names(&document["messages"]["CartMsg"]));
}

/// The commands of the tutorial, and what they print.
#[test]
#[ignore = "builds two applications with features of their own: `.ci/full review`"]
fn the_tutorial_is_what_the_tools_print() {
    let (_, store) = fixtures();
    let page = fs::read_to_string(root().join("docs/live.md")).unwrap();
    let mut commands = 0;
    for block in page.split("```console\n").skip(1).map(|rest| rest.split("```").next().unwrap()) {
        for part in block.split("$ ").skip(1) {
            let (command, expected) = part.split_once('\n').unwrap();
            let Some(arguments) = command.strip_prefix("codegen-cli call target/debug/store ") else { continue };
            let (tool, json) = arguments.split_once(" '").unwrap();
            let printed = succeeded(run(&["call", store, tool, json.trim_end_matches('\'')]));
            assert_eq!(printed.trim_end(), expected.trim_end(), "{command}");
            commands += 1;
        }
    }
    assert!(commands >= 4, "{commands}");
}
