//! The contract workflow: snapshots, contracts wherever they are, lint, cost, clients.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::{Scratch, Server, cli, failed, path, root, run, succeeded, vision};
use crate::walk::NODES;

#[test]
fn orphans_and_missing_snapshots_are_found_and_mended() {
    let krate = Scratch::new("kept", NODES);
    let first = succeeded(krate.run(&["snapshot"]));
    let folder = krate.folder().join("snapshots");
    assert!(first.contains("snapshots/mcp/walk__count.snap"), "{first}");
    assert!(folder.join("schema/walk__count.snap").is_file());
    let written = fs::metadata(folder.join("schema/walk__count.snap")).unwrap().modified().unwrap();
    fs::write(folder.join("mcp/walk__gone.snap"), "---\nsource: tests/snapshots.rs\n---\n{}\n").unwrap();
    fs::remove_file(folder.join("policy/walk.snap")).unwrap();
    let output = krate.run(&["check", "--json"]);
    assert_eq!(output.status.code(), Some(4));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let verdicts: Vec<&Value> =
        found["findings"].as_array().unwrap().iter().map(|finding| &finding["verdict"]).collect();
    assert_eq!(verdicts, ["stale", "orphaned"]);
    let second = succeeded(krate.run(&["snapshot"]));
    assert!(second.contains("removed  snapshots/mcp/walk__gone.snap"), "{second}");
    assert!(second.contains("added    snapshots/policy/walk.snap"), "{second}");
    assert_eq!(krate.run(&["check"]).status.code(), Some(0));
    // What did not change was not written.
    assert_eq!(fs::metadata(folder.join("schema/walk__count.snap")).unwrap().modified().unwrap(), written);
    // Nor is it stale with the line ends that git makes on Windows; what is no text at all is.
    let mcp = folder.join("mcp/walk__count.snap");
    let text = fs::read_to_string(&mcp).unwrap();
    fs::write(&mcp, text.replace('\n', "\r\n")).unwrap();
    assert_eq!(krate.run(&["check"]).status.code(), Some(0));
    fs::write(&mcp, b"\xff\xfe").unwrap();
    assert_eq!(krate.run(&["check"]).status.code(), Some(4));
    assert!(succeeded(krate.run(&["snapshot"])).contains("changed  snapshots/mcp/walk__count.snap"));
    assert_eq!(fs::read_to_string(&mcp).unwrap(), text);
}

/// The same bytes at the same places as the tests of this repository, which insta writes.
#[test]
fn snapshots_are_those_of_the_tests() {
    for fixture in ["vision", "gridworld", "kitchen", "conformance"] {
        let said = succeeded(run(&["snapshot", "-p", fixture, "--json"]));
        let said: Value = serde_json::from_str(&said).unwrap();
        assert_eq!(said["findings"].as_array().unwrap().len(), 0, "{fixture}: {said}");
    }
    let place = root().join("snapshots/mcp/vision__describe.snap");
    let kept = fs::read(&place).unwrap();
    fs::remove_file(&place).unwrap();
    let output = run(&["snapshot", "-p", "vision"]);
    let made = fs::read(&place);
    fs::write(&place, &kept).unwrap();
    succeeded(output);
    assert_eq!(String::from_utf8(made.unwrap()).unwrap(), String::from_utf8(kept).unwrap());
}

#[test]
fn contracts_are_compared_wherever_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let contract = folder.path().join("contract.json");
    let text = succeeded(run(&["inspect", vision(), "--projection", "contract"]));
    fs::write(&contract, &text).unwrap();
    let server = Server::start(cli(&["serve", "-p", "vision", "--port", "0"]));
    for other in [&server.address, vision()] {
        let said = succeeded(run(&["diff", path(&contract), other]));
        assert!(said.contains("nothing changed"), "{said}");
    }
    let narrower = text.replace("\"minimum\":1,", "\"minimum\":2,");
    assert_ne!(narrower, text);
    let changed = folder.path().join("changed.json");
    fs::write(&changed, narrower).unwrap();
    let breaks = run(&["diff", path(&contract), path(&changed), "--exit-code"]);
    assert_eq!(breaks.status.code(), Some(100), "{}", String::from_utf8_lossy(&breaks.stdout));
    let widens = run(&["diff", path(&changed), path(&contract), "--exit-code"]);
    assert!(String::from_utf8_lossy(&widens.stdout).contains("compatible"));
    let unknown = failed(run(&["diff", "-p", "vision", "no-such-revision"]), 2);
    assert!(unknown.contains("is no file, no URL and no revision"), "{unknown}");
}

#[test]
fn every_fixture_is_taken_by_every_client() {
    for fixture in ["vision", "gridworld", "kitchen"] {
        let output = run(&["lint", "-p", fixture]);
        assert_eq!(output.status.code(), Some(0), "{fixture}: {}", String::from_utf8_lossy(&output.stdout));
    }
    let told = succeeded(run(&["lint", vision(), "--profile", "reference", "--json"]));
    let told: Value = serde_json::from_str(&told).unwrap();
    let findings = told["findings"].as_array().unwrap();
    // A port of a list has no schema in this profile.
    let (losses, others): (Vec<_>, Vec<_>) = findings.iter().partition(|found| found["rule"] == "profile_loss");
    assert!(losses.iter().all(|loss| loss["pointer"] != ""), "{losses:?}");
    assert!(others.iter().all(|found| found["rule"] == "untyped_schema"), "{others:?}");
    // People read each sentence once a tool.
    let tools: std::collections::BTreeSet<_> = losses.iter().map(|loss| loss["subject"].as_str().unwrap()).collect();
    let text = succeeded(run(&["lint", vision(), "--profile", "reference"]));
    assert_eq!(text.lines().filter(|line| line.starts_with("loss")).count(), tools.len(), "{text}");
    assert!(losses.len() > tools.len() && text.contains(" at /inputSchema/"), "{text}");
    assert!(succeeded(run(&["lint", "--explain", "type_array"])).contains("Instead: "));
    assert!(failed(run(&["lint", "--explain", "type_aray"]), 2).contains("there is `type_array`"));
    // What stands in a report is explained, and to programs in their form.
    assert!(succeeded(run(&["lint", "--explain", "profile_loss"])).contains("profile_loss (loss)"));
    let rule: Value =
        serde_json::from_str(&succeeded(run(&["lint", "--explain", "type_array", "--format", "json"]))).unwrap();
    assert_eq!((&rule["rule"], &rule["severity"]), (&"type_array".into(), &"warning".into()));
}

/// `contract.md` 3: the bytes that `generate` writes, wherever they are asked for.
#[test]
fn what_is_generated_can_be_inspected() {
    for what in ["openapi", "docs", "ts", "python", "rust"] {
        let generated = succeeded(run(&["generate", what, vision()]));
        for format in [&[][..], &["--format", "text"]] {
            let arguments = [&["inspect", vision(), "--projection", what], format].concat();
            assert_eq!(succeeded(run(&arguments)), generated, "{what}");
        }
    }
    let inspect = |more: &[&str]| run(&[&["inspect", vision()][..], more].concat());
    let json = succeeded(inspect(&["--projection", "openapi", "--json"]));
    assert_eq!(json, succeeded(run(&["generate", "openapi", vision()])));
    let one = succeeded(inspect(&["--projection", "python", "--node", "segment"]));
    assert!(one.contains("def segment(") && !one.contains("def describe("), "{one}");
    let block = succeeded(inspect(&["--projection", "ts", "--format", "markdown"]));
    assert!(block.starts_with("```ts\n// Client of `vision`"), "{block}");
    assert!(failed(inspect(&["--projection", "rust", "--json"]), 2).contains("a client in Rust is text"));
    assert!(failed(inspect(&["--projection", "ts", "--profile", "full"]), 2).contains("shapes the list of tools"));
}

#[test]
fn tools_have_a_price() {
    let said = succeeded(run(&["tokens", vision(), "--json"]));
    let said: Value = serde_json::from_str(&said).unwrap();
    let sum: u64 = said["tools"].as_array().unwrap().iter().map(|tool| tool["tokens"].as_u64().unwrap()).sum();
    assert_eq!(said["total"]["tokens"], sum);
    assert!(sum > 500, "{said}");
    assert_eq!(run(&["tokens", vision(), "--max", "10"]).status.code(), Some(7));
    assert_eq!(run(&["tokens", vision(), "--max", "100000"]).status.code(), Some(0));
    let table = succeeded(run(&["tokens", vision()]));
    assert!(table.lines().next().unwrap().starts_with("tool") && table.contains("in all"), "{table}");
    if said["exact"] == false {
        assert!(table.contains("tokens, about  characters") && !table.contains("o200k"), "{table}");
    }
    let one = succeeded(run(&["tokens", vision(), "--node", "segment", "--json"]));
    let one: Value = serde_json::from_str(&one).unwrap();
    let of_segment = said["tools"].as_array().unwrap().iter().find(|tool| tool["name"] == "vision__segment").unwrap();
    assert_eq!((&one["tools"], &one["total"]["tokens"]), (&json!([of_segment]), &of_segment["tokens"]));
}

#[test]
fn clients_and_documents_are_written_once_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    for (what, says) in [
        ("ts", "async segment(args: SegmentArguments"),
        ("python", "def segment(self"),
        ("rust", "pub async fn segment(&self"),
        ("openapi", "\"/call/vision__segment\""),
        ("docs", "## `vision__segment`"),
    ] {
        let file = folder.path().join(what);
        let arguments = ["generate", what, vision(), "--output", path(&file)];
        succeeded(run(&arguments));
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.contains(says), "{what}: {text}");
        assert_eq!(succeeded(run(&["generate", what, vision()])), text, "{what}");
        let check = [&arguments[..], &["--check"]].concat();
        succeeded(run(&check));
        fs::write(&file, text.replace('\n', "\r\n")).unwrap();
        succeeded(run(&check));
        fs::write(&file, text + " ").unwrap();
        assert!(failed(run(&check), 4).contains("without --check"));
    }
}

#[test]
fn verbs_that_write_files_say_what_they_did_in_json() {
    let folder = tempfile::tempdir().unwrap();
    let object = |output| serde_json::from_str::<Value>(&succeeded(output)).unwrap();
    let refused = |output, code| serde_json::from_str::<Value>(&failed(output, code)).unwrap();
    let client = folder.path().join("vision.ts");
    let generate = ["generate", "ts", vision(), "--output", path(&client), "--json"];
    assert_eq!(object(run(&generate)), json!({"file": path(&client), "state": "written"}));
    assert_eq!(object(run(&generate))["state"], "unchanged");
    let spelled = ["generate", "ts", vision(), "--output", path(&client), "--format", "json"];
    assert_eq!(object(run(&spelled))["state"], "unchanged");
    fs::write(&client, "").unwrap();
    assert_eq!(refused(run(&[&generate[..], &["--check"]].concat()), 4)["type"], "stale");
    assert!(object(run(&["generate", "docs", vision(), "--json"]))["text"].as_str().unwrap().starts_with("# "));
    let place = folder.path().join("fresh");
    let new = ["new", path(&place), "--json"];
    let made = object(run(&new));
    assert_eq!((&made["name"], made["files"].as_array().unwrap().len()), (&"fresh".into(), 4));
    assert_eq!(refused(run(&new), 4)["type"], "exists");
    let shown = object(run(&["install", "cursor", "--print", "--name", "v", "--json", "http://127.0.0.1:9200"]));
    assert_eq!((&shown["state"], &shown["name"]), (&"shown".into(), &"v".into()));
    let expanded = object(run(&["expand", path(&place.join("src/lib.rs")), "--json"]));
    assert!(expanded["text"].as_str().unwrap().contains("__private"), "{expanded}");
}

/// A name that nothing has is no reason to show all, or to find nothing changed.
#[test]
fn a_nodeset_that_is_not_there_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("contract.JSON");
    // As editors of Windows write it.
    let text = succeeded(run(&["inspect", vision(), "--projection", "contract"]));
    fs::write(&file, format!("\u{feff}{text}")).unwrap();
    for verb in ["list", "inspect", "lint", "tokens"] {
        succeeded(run(&[verb, path(&file), "--nodeset", "vision"]));
        assert!(failed(run(&[verb, path(&file), "--nodeset", "nope"]), 1).contains("no nodeset `nope`"), "{verb}");
        let refused = failed(run(&[verb, "http://127.0.0.1:9", "--nodeset", "vision"]), 2);
        assert!(refused.contains("below its address"), "{verb}: {refused}");
    }
    let refused = failed(run(&["diff", path(&file), vision(), "--nodeset", "nope"]), 1);
    assert!(refused.contains("`nope`"), "{refused}");
    let refused = failed(run(&["inspect", vision(), "--projection", "exposure"]), 2);
    assert!(refused.contains("no live application"), "{refused}");
}

/// A contract that a newer version wrote is not read as if it were known.
#[test]
fn a_contract_in_a_newer_form_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("contract.json");
    let text = succeeded(run(&["inspect", vision(), "--projection", "contract"]));
    fs::write(&file, text.replacen("\"format\":1,", "\"format\":2,", 1)).unwrap();
    for arguments in [&["inspect", path(&file)][..], &["diff", path(&file), vision()], &["generate", "ts", path(&file)]]
    {
        let refused = failed(run(arguments), 2);
        assert!(refused.contains("has form 2, and this codegen-cli knows form 1"), "{refused}");
    }
}

#[test]
#[ignore = "builds several hosts, which takes minutes; .ci/full runs it"]
fn a_new_crate_holds_its_contract_from_the_first_day() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("fresh-nodes");
    let nodecast = root().join("runtime/nodecast");
    let arguments = ["new", path(&place), "--nodecast", path(&nodecast)];
    succeeded(run(&arguments));
    assert!(failed(run(&arguments), 4).contains("is there already"));
    fs::copy(root().join("Cargo.lock"), place.join("Cargo.lock")).unwrap();
    let target = Path::new(env!("CARGO_BIN_EXE_codegen-cli")).ancestors().nth(2).unwrap();
    let in_it = |arguments: &[&str]| {
        let mut command = cli(arguments);
        command.args(["--offline"]).current_dir(&place).env("CARGO_TARGET_DIR", target);
        command.output().unwrap()
    };
    succeeded(in_it(&["snapshot"]));
    assert_eq!(succeeded(in_it(&["call", "greet", "who=Ada"])).trim(), "{\"result\":\"Hello, Ada.\"}");
    assert_eq!(in_it(&["check"]).status.code(), Some(0));
    assert_eq!(in_it(&["lint"]).status.code(), Some(0));
}

#[test]
fn documents_are_written_in_every_form() {
    let yaml = succeeded(run(&["inspect", vision(), "--projection", "policy", "--format", "yaml"]));
    assert!(yaml.contains("nodeset: \"vision\"\n") && yaml.contains("exclusive: false\n"), "{yaml}");
    let page = succeeded(run(&["inspect", vision(), "--format", "markdown"]));
    assert!(page.contains("## `vision__segment`") && page.contains("| `image` | image | required |"), "{page}");
    assert!(succeeded(run(&["list", vision(), "--format", "markdown"])).contains("| `vision__segment` |"));
    let refused = failed(run(&["inspect", vision(), "--format", "junit"]), 2);
    assert!(refused.contains("junit"), "{refused}");
}
