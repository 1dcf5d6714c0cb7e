//! `dev`: one connection of a client across the rebuilds of an application (`live.md` 9).

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::live::{executable, fixtures};
use crate::support::{cli, failed, path, run};

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
    /// One that nobody has talked to.
    fn silent(binary: &Path, more: &[&str]) -> Self {
        let mut command = cli(&[&["dev", path(binary)], more].concat());
        command.env("TMPDIR", binary.parent().unwrap());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, input, output, asked: 0, notes: Vec::new() }
    }

    fn start(binary: &Path, more: &[&str]) -> Self {
        let mut dev = Self::silent(binary, more);
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
            let message = self.message();
            if message["id"] == id {
                return message;
            }
            self.notes.push(message);
        }
    }

    /// A request of the newer era, which has no handshake.
    fn newer(&mut self, id: u64, method: &str, mut params: Value) {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {},
        });
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
    }

    fn message(&mut self) -> Value {
        let mut line = String::new();
        assert!(self.output.read_line(&mut line).unwrap() > 0, "the connection has ended");
        serde_json::from_str(&line).unwrap()
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
    // Also where the client stays, and says nothing.
    let mut waits = Dev::silent(&script, &[]);
    assert_eq!(waits.child.wait().unwrap().code(), Some(3));
    assert_eq!(run(&["dev", "/nowhere/at/all"]).status.code(), Some(3));
    assert_eq!(run(&["dev"]).status.code(), Some(2));
}

/// As a script does that writes into a pipe.
#[test]
#[ignore = "builds two applications with features of their own: `.ci/full review`"]
fn a_client_that_hangs_up_after_its_calls_has_the_answers() {
    let (_folder, binary) = place();
    let mut dev = Dev::start(&binary, &[]);
    let params = json!({ "name": "dispatch", "arguments": add(5) });
    dev.send(&json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params }));
    dev.input = None;
    assert!(dev.answer(7)["result"]["content"][0]["text"].as_str().unwrap().contains("subtotal=5"));
    assert_eq!(dev.child.wait().unwrap().code(), Some(0));
}

/// Whoever stops it, nothing of the application is left.
#[test]
#[ignore = "builds two applications with features of their own: `.ci/full review`"]
fn dev_that_is_stopped_takes_the_application_and_its_copy_along() {
    for (signal, code) in [("-INT", 130), ("-TERM", 0)] {
        let (folder, binary) = place();
        let mut dev = Dev::start(&binary, &[]);
        let application = dev.application();
        let entries = || fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(entries(), 2);
        assert!(Command::new("kill").args([signal, &dev.child.id().to_string()]).status().unwrap().success());
        assert_eq!(dev.child.wait().unwrap().code(), Some(code), "{signal}");
        assert!(!Path::new(&format!("/proc/{application}")).exists(), "{signal}");
        assert_eq!(entries(), 1, "{signal}");
    }
}

/// `live.md` 9: a stream of the newer era survives a reload, and hears of what it was promised alone.
#[test]
#[ignore = "builds two applications with features of their own: `.ci/full review`"]
fn after_a_reload_a_stream_hears_of_what_was_acknowledged() {
    let (_folder, binary) = place();
    let mut dev = Dev::silent(&binary, &[]);
    let watched = json!(["live://state", "live://state/nope"]);
    dev.newer(1, "subscriptions/listen", json!({ "notifications": { "resourceSubscriptions": watched } }));
    let acknowledged = dev.message();
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(acknowledged["params"]["notifications"]["resourceSubscriptions"], json!(["live://state"]));
    rebuild(&binary);
    dev.newer(2, "tools/call", json!({ "name": "snapshot", "arguments": {} }));
    let updated = |message: &Value| {
        assert_eq!(message["method"], "notifications/resources/updated", "{message}");
        assert_eq!(message["params"]["uri"], "live://state");
        assert_eq!(message["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], 1);
    };
    updated(&dev.message());
    let reloaded = dev.message();
    let said = reloaded["result"]["content"][0]["text"].as_str().unwrap();
    assert!(said.starts_with("reloaded cart: 0 messages replayed, v1: subtotal=0, discount=0, total=0\n"), "{said}");
    // The stream is one of the new build.
    dev.newer(3, "tools/call", json!({ "name": "dispatch", "arguments": add(3) }));
    let mut next = [dev.message(), dev.message()];
    next.sort_by_key(|message| message["id"] == 3);
    updated(&next[0]);
}

/// `live.md` 9: a reload that a refusal of the protocol came after is told with the next result.
#[test]
#[ignore = "builds two applications with features of their own: `.ci/full review`"]
fn a_reload_is_told_although_the_next_call_names_no_tool() {
    let (_folder, binary) = place();
    let mut dev = Dev::start(&binary, &[]);
    let refused = dev.ask("resources/subscribe", json!({ "uri": "live://state/nope" }));
    assert_eq!(refused["error"]["code"], -32002);
    dev.call("dispatch", add(2));
    rebuild(&binary);
    let unknown = dev.ask("tools/call", json!({ "name": "nothing", "arguments": {} }));
    assert!(unknown.get("error").is_some(), "{unknown}");
    assert!(dev.call("snapshot", json!({})).starts_with("reloaded cart: 1 messages replayed, v2: subtotal=2,"));
    // What was never watched is not told of.
    assert!(dev.notes.iter().all(|note| note["params"]["uri"] != "live://state/nope"), "{:?}", dev.notes);
}

/// `live.md` 9: another build may have other messages and tools, of which the client is told.
#[test]
#[ignore = "builds two applications with features of their own: `.ci/full review`"]
fn what_a_new_build_rejects_is_told_and_its_tools_too() {
    let (_folder, binary) = place();
    let mut dev = Dev::start(&binary, &[]);
    dev.call("dispatch", json!({ "messages": [add(1), { "message": "clear" }] }));
    fs::remove_file(&binary).unwrap();
    fs::copy(&fixtures().1, &binary).unwrap();
    let answer = dev.call("snapshot", json!({}));
    let lines: Vec<_> = answer.lines().collect();
    assert_eq!(lines[0], "reloaded cart: 0 messages replayed, v1: price=0, discount=0, shipping=300, total=300");
    assert!(lines[1].starts_with("replay: message 1 rejected: there is no message `add_item`"), "{answer}");
    assert!(lines[2].starts_with("replay: message 2 rejected: there is no message `clear`"), "{answer}");
    assert!(lines[3].starts_with("{\"version\":1,"), "{answer}");
    let methods: Vec<_> = dev.notes.iter().map(|note| note["method"].as_str().unwrap_or_default()).collect();
    assert_eq!(methods, ["notifications/tools/list_changed"]);
    // What it has rejected is forgotten.
    rebuild(&binary);
    let again = dev.call("snapshot", json!({}));
    assert!(again.lines().nth(1).unwrap().starts_with("{\"version\":1,"), "{again}");
}

/// `live.md` 9: a build may put its binary elsewhere, and lead a link to it.
#[test]
#[ignore = "builds two applications with features of their own: `.ci/full review`"]
fn a_link_that_leads_to_another_build_is_followed() {
    let (folder, binary) = place();
    let link = folder.path().join("linked");
    std::os::unix::fs::symlink(&binary, &link).unwrap();
    let mut dev = Dev::start(&link, &[]);
    dev.call("dispatch", add(5));
    let next = folder.path().join("next");
    fs::copy(&binary, &next).unwrap();
    rebuild(&next);
    fs::remove_file(&link).unwrap();
    std::os::unix::fs::symlink(&next, &link).unwrap();
    let answer = dev.call("snapshot", json!({}));
    assert!(answer.starts_with("reloaded linked: 1 messages replayed, v2: subtotal=5"), "{answer}");
}

/// `live.md` 9: what the old build was asked is answered by it.
#[test]
#[ignore = "builds two applications with features of their own: `.ci/full review`"]
fn what_was_asked_before_a_reload_is_answered() {
    let (_folder, binary) = place();
    let mut dev = Dev::start(&binary, &[]);
    rebuild(&binary);
    let read = json!({ "uri": "live://state" });
    dev.send(&json!({ "jsonrpc": "2.0", "id": 70, "method": "resources/read", "params": read }));
    let call = json!({ "name": "snapshot", "arguments": {} });
    dev.send(&json!({ "jsonrpc": "2.0", "id": 71, "method": "tools/call", "params": call }));
    let read = dev.answer(70);
    assert_eq!(read["result"]["contents"][0]["uri"], "live://state", "{read}");
    let called = dev.answer(71);
    let text = called["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.starts_with("reloaded cart: 0 messages replayed, v1: subtotal=0"), "{called}");
}

/// Neither a client's line that is no text nor one of the application ends anything.
#[test]
fn lines_that_are_no_text_end_no_connection() {
    let folder = tempfile::tempdir().unwrap();
    let binary = folder.path().join("noisy");
    let answer = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
    let script = format!("#!/bin/sh\nwhile read -r line; do printf '\\377\\n%s\\n' '{answer}'; done\n");
    fs::write(&binary, script).unwrap();
    executable(&binary);
    let mut dev = Dev::silent(&binary, &[]);
    dev.input.as_mut().unwrap().write_all(b"\xff{}\n").unwrap();
    assert!(dev.ask("ping", json!({})).get("result").is_some());
    assert_eq!(dev.notes.len(), 1, "{:?}", dev.notes);
    assert_eq!(dev.notes[0]["error"]["code"], -32700);
    drop(dev.input.take());
    assert_eq!(dev.child.wait().unwrap().code(), Some(0));
}
