//! Live applications from a shell: `call BINARY`, `dev`, the exposure of a binary, and the commands of the tutorial.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{cli, failed, path, root, run, succeeded};

/// Builds a fixture into the target folder of this run.
fn built(name: &str, features: &[&str]) -> String {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "-p", name]).args(features).current_dir(root());
    assert!(cargo.status().unwrap().success());
    path(&Path::new(env!("CARGO_BIN_EXE_codegen-cli")).with_file_name(name)).to_owned()
}

/// The cart without the traced tools, and after it the store with them: one build at a time, since both write the same
/// library.
fn fixtures() -> &'static (String, String) {
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
    let bad = failed(run(&["call", cart, "dispatch", "{\"message\":"]), 2);
    assert!(bad.contains("line 1 column"), "{bad}");
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("ends");
    fs::write(&script, "#!/bin/sh\necho 'no ground' >&2\nexit 7\n").unwrap();
    executable(&script);
    let ended = failed(run(&["call", path(&script), "snapshot"]), 3);
    assert!(ended.contains("no ground"), "{ended}");
    let file = folder.path().join("arguments.json");
    fs::write(&file, TWO).unwrap();
    let from_file = succeeded(run(&["call", cart, "dispatch", &format!("@{}", path(&file))]));
    assert!(from_file.contains("v3: subtotal=500"), "{from_file}");
}

fn executable(file: &Path) {
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

/// `codegen-cli dev` with a client of the older era.
struct Dev {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    asked: u64,
    /// What came without being asked for.
    notes: Vec<Value>,
}

impl Dev {
    fn start(binary: &Path, more: &[&str]) -> Self {
        let mut command = cli(&[&["dev", path(binary)], more].concat());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let mut dev = Self { child, input, output, asked: 0, notes: Vec::new() };
        let client = json!({ "name": "test", "version": "1" });
        let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client });
        assert_eq!(dev.ask("initialize", params)["result"]["serverInfo"]["name"], "cart");
        dev.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        dev
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.input.as_mut().unwrap(), "{message}").unwrap();
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        let id = self.asked;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        self.answer(id)
    }

    fn answer(&mut self, id: u64) -> Value {
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "the connection has ended");
            let message: Value = serde_json::from_str(&line).unwrap();
            if message["id"] == id {
                return message;
            }
            self.notes.push(message);
        }
    }

    fn call(&mut self, tool: &str, arguments: Value) -> String {
        let answer = self.ask("tools/call", json!({ "name": tool, "arguments": arguments }));
        answer["result"]["content"][0]["text"].as_str().unwrap().to_owned()
    }

    /// The process of the application.
    fn application(&self) -> u32 {
        let children = fs::read_to_string(format!("/proc/{0}/task/{0}/children", self.child.id())).unwrap();
        children.split_whitespace().next_back().unwrap().parse().unwrap()
    }
}

impl Drop for Dev {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn add(price: u64) -> Value {
    json!({ "message": "add_item", "args": { "sku": "a", "unit_price": price, "quantity": 1 } })
}

/// A place for the binary, as a build would put it there.
fn place() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let binary = folder.path().join("cart");
    fs::copy(&fixtures().0, &binary).unwrap();
    (folder, binary)
}

/// A new build of the same application: the bytes behind its end are nobody's.
fn rebuild(binary: &Path) {
    let mut bytes = fs::read(binary).unwrap();
    bytes.push(0);
    fs::remove_file(binary).unwrap();
    fs::write(binary, bytes).unwrap();
    executable(binary);
}

#[test]
#[ignore = "builds two applications with features of their own: `.ci/full review`"]
fn r20_a_client_stays_connected_while_the_application_is_rebuilt() {
    let (_folder, binary) = place();
    let mut dev = Dev::start(&binary, &[]);
    let subscribed = dev.ask("resources/subscribe", json!({ "uri": "live://state" }));
    assert!(subscribed.get("result").is_some(), "{subscribed}");
    dev.call("dispatch", json!({ "messages": [add(1), add(2)] }));
    dev.call("dispatch", add(4));
    assert!(dev.call("dispatch", json!({ "message": "nothing" })).contains("rejected"));
    let before = dev.application();
    dev.notes.clear();
    rebuild(&binary);
    let begun = Instant::now();
    let snapshot = dev.call("snapshot", json!({}));
    assert!(begun.elapsed() < Duration::from_secs(20));
    let (first, rest) = snapshot.split_once('\n').unwrap();
    assert_eq!(first, "reloaded cart: 3 messages replayed, v2: subtotal=7, discount=0, total=7".replace("v2", "v4"));
    assert_eq!(rest, r#"{"version":4,"values":{"subtotal":7,"discount":0,"total":7}}"#);
    assert_ne!(dev.application(), before);
    let state = |note: &&Value| note["params"]["uri"] == "live://state";
    assert_eq!(dev.notes.iter().filter(state).count(), 1, "{:?}", dev.notes);
    // The subscription is one of the new build.
    let answer = dev.call("dispatch", add(1));
    assert!(answer.starts_with("1 add_item"), "{answer}");
    dev.call("snapshot", json!({}));
    assert_eq!(dev.notes.iter().filter(state).count(), 2, "{:?}", dev.notes);
}

#[test]
#[ignore = "builds two applications with features of their own: `.ci/full review`"]
fn a_build_that_does_not_start_leaves_the_old_one_serving() {
    let (_folder, binary) = place();
    let mut dev = Dev::start(&binary, &[]);
    dev.call("dispatch", add(5));
    fs::remove_file(&binary).unwrap();
    fs::write(&binary, "#!/bin/sh\necho 'it is broken' >&2\nexit 1\n").unwrap();
    executable(&binary);
    let answer = dev.call("dispatch", add(5));
    let first = answer.lines().next().unwrap();
    assert!(first.starts_with("reload failed, still serving the previous build: "), "{first}");
    assert!(first.contains("it is broken"), "{first}");
    assert!(answer.contains("subtotal=10"), "{answer}");
    fs::remove_file(&binary).unwrap();
    fs::copy(&fixtures().0, &binary).unwrap();
    let answer = dev.call("snapshot", json!({}));
    assert!(answer.starts_with("reloaded cart: 2 messages replayed, v3: subtotal=10"), "{answer}");
}

#[test]
#[ignore = "builds two applications with features of their own: `.ci/full review`"]
fn an_application_that_dies_in_a_call_is_started_again() {
    let (_folder, binary) = place();
    let mut dev = Dev::start(&binary, &[]);
    dev.call("dispatch", add(5));
    dev.asked += 1;
    let id = dev.asked;
    let wait = json!({ "name": "wait_version", "arguments": { "version": 9, "timeoutMs": 60_000 } });
    dev.send(&json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": wait }));
    std::thread::sleep(Duration::from_millis(300));
    assert!(Command::new("kill").args(["-9", &dev.application().to_string()]).status().unwrap().success());
    let answer = dev.answer(id);
    let text = answer["result"]["content"][0]["text"].as_str().unwrap();
    assert_eq!(
        (&answer["result"]["isError"], &answer["result"]["_meta"]["nodecast/stage"]),
        (&json!(true), &json!("internal_runtime"))
    );
    assert!(text.contains("signal: 9") && text.contains("1 messages replayed"), "{text}");
    assert!(dev.call("snapshot", json!({})).contains("\"subtotal\":5"));
}

#[test]
#[ignore = "builds two applications with features of their own: `.ci/full review`"]
fn dev_ends_with_its_client_and_says_why_it_cannot_begin() {
    let (folder, binary) = place();
    let mut dev = Dev::start(&binary, &["--no-replay", "--", "--log", "json"]);
    dev.call("dispatch", add(5));
    rebuild(&binary);
    assert!(dev.call("snapshot", json!({})).starts_with("reloaded cart: 0 messages replayed, v1: subtotal=0"));
    let application = dev.application();
    dev.input = None;
    assert_eq!(dev.child.wait().unwrap().code(), Some(0));
    assert!(!Path::new(&format!("/proc/{application}")).exists());
    let script = folder.path().join("ends");
    fs::write(&script, "#!/bin/sh\necho 'no ground' >&2\nexit 7\n").unwrap();
    executable(&script);
    let ended = failed(cli(&["dev", path(&script)]).stdin(Stdio::piped()).output().unwrap(), 3);
    assert!(ended.contains("no ground"), "{ended}");
    assert_eq!(run(&["dev"]).status.code(), Some(2));
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
