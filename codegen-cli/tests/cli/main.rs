//! The command line as its users run it: the built binary, real crates, real servers.
//!
//! Hosts are built in the target folder of this very run, one for each crate. Most tests then take the built binary as
//! their target, since asking cargo whether a crate has changed is what takes time.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test ends where something is not as it should be")]

mod dev;
mod foreign;
mod hosts;
mod install;
mod live;
mod review;
mod servers;
#[cfg(unix)]
mod stopped;
mod support;
mod thousand;
mod walk;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use support::{HOSTILE, SLOW, Scratch, Server, cli, failed, image_block, path, run, succeeded, vision, wait_for};

const PHOTOGRAPH: &str = "image=@fixtures/vision/photographs/coins.png";

#[test]
fn inspect_gives_the_same_bytes_every_time() {
    let first = succeeded(run(&["inspect", "-p", "vision", "--format", "json"]));
    let tools: Value = serde_json::from_str(&first).unwrap();
    assert_eq!(tools["tools"][0]["name"], "vision__describe");
    for _ in 1..10 {
        assert_eq!(succeeded(run(&["inspect", vision()])), first);
    }
}

#[test]
fn inspect_prints_every_projection_as_text_and_json() {
    for projection in ["mcp", "contract", "manifest", "schema", "policy"] {
        let arguments = ["inspect", vision(), "--projection", projection];
        let json = succeeded(run(&arguments));
        serde_json::from_str::<Value>(&json).unwrap();
        let text = succeeded(run(&[&arguments[..], &["--format", "text"]].concat()));
        assert!(text.contains("vision"), "{projection}: {text}");
        assert!(!text.contains('\u{1b}'), "{projection} is coloured into a pipe: {text}");
    }
}

#[test]
fn inspect_narrows_to_one_node() {
    for projection in ["mcp", "contract", "manifest", "schema"] {
        let text = succeeded(run(&["inspect", vision(), "--projection", projection, "--node", "segment"]));
        assert!(text.contains("vision__segment") && !text.contains("vision__describe"), "{projection}: {text}");
    }
    let refused = failed(run(&["inspect", vision(), "--node", "segmnt"]), 1);
    assert!(refused.contains("hint: there is `segment`"), "{refused}");
}

#[test]
fn inspect_reads_a_document_that_was_printed_before() {
    let folder = tempfile::tempdir().unwrap();
    let contract = folder.path().join("contract.json");
    fs::write(&contract, succeeded(run(&["inspect", vision(), "--projection", "contract"]))).unwrap();
    let names = |document: &str| {
        let tools: Value = serde_json::from_str(document).unwrap();
        tools["tools"].as_array().unwrap().iter().map(|tool| tool["name"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(&succeeded(run(&["inspect", path(&contract)]))), names(&succeeded(run(&["inspect", vision()]))));
}

#[test]
fn inspect_shows_each_profile_of_every_target() {
    let folder = tempfile::tempdir().unwrap();
    let contract = folder.path().join("contract.json");
    fs::write(&contract, succeeded(run(&["inspect", vision(), "--projection", "contract"]))).unwrap();
    let manifest = folder.path().join("manifest.json");
    fs::write(&manifest, succeeded(run(&["inspect", vision(), "--projection", "manifest"]))).unwrap();
    let server = Server::start(cli(&["serve", "-p", "vision", "--port", "0", "--profile", "full"]));
    let tools = |arguments: &[&str]| -> Value {
        serde_json::from_str(&succeeded(run(&[&["inspect"], arguments].concat()))).unwrap()
    };
    // A contract is canonical, so that 1.0 is 1 in it.
    let said = |value: &Value| value.to_string().replace(".0,", ",").replace(".0}", "}");
    let sorted = |value: Value| -> Value { serde_json::from_str(&said(&value)).unwrap() };
    for profile in ["full", "inline", "reference"] {
        let program = tools(&[vision(), "--profile", profile]);
        assert_eq!(sorted(tools(&[path(&contract), "--profile", profile])), sorted(program.clone()), "{profile}");
        assert_eq!(sorted(tools(&[&server.address, "--profile", profile])), sorted(program), "{profile}");
    }
    // Without one, what the server lists.
    assert_eq!(tools(&[&server.address]), tools(&[vision(), "--profile", "full"]));
    let reference = tools(&[vision(), "--profile", "reference"]);
    assert_eq!(tools(&["--manifest", path(&manifest)]), reference);
    assert_eq!(tools(&[path(&manifest), "--profile", "reference"]), reference);
    // `wire.md` 1.2: the order of keys and the point of a float belong to it, so that `diff` compares two of them.
    let printed = |target: &[&str]| succeeded(run(&[&["inspect", "--profile", "reference"], target].concat()));
    assert_eq!(printed(&[&server.address]), printed(&["--manifest", path(&manifest)]));
    assert_eq!(printed(&[&server.address]), printed(&[vision()]));
    let whole = succeeded(run(&["inspect", vision(), "--projection", "contract", "--format", "text"]));
    assert!(whole.contains("profile inline  leaves out"), "{whole}");
    assert!(whole.contains("array form") && whole.contains("/inputSchema/properties/image"), "{whole}");
}

/// One document made of all functions of the golden vectors, as nobody's in particular.
#[test]
fn any_manifest_gives_the_reference_profile() {
    let vectors = fs::read_to_string(support::root().join("tests/vectors/golden_schema_vectors.json")).unwrap();
    let vectors: Vec<Value> = serde_json::from_str(&vectors).unwrap();
    let part = |key: &str| vectors.iter().map(|vector| vector[key].clone()).collect::<Value>();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("manifest.json");
    fs::write(&file, serde_json::json!({"name": "kitchen", "functions": part("function")}).to_string()).unwrap();
    let printed = succeeded(run(&["inspect", "--manifest", path(&file), "--profile", "reference"]));
    assert_eq!(serde_json::from_str::<Value>(&printed).unwrap()["tools"], part("tool"));
    let text = succeeded(run(&["inspect", "--manifest", path(&file), "--format", "text"]));
    assert!(text.contains("kitchen__need") && text.contains("required text"), "{text}");
    assert!(succeeded(run(&["list", "--manifest", path(&file)])).contains("kitchen__need"));
}

#[test]
fn a_file_that_does_not_hold_what_is_asked_says_what_it_holds() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let file = folder.path().join(name);
        fs::write(&file, text).unwrap();
        path(&file).to_owned()
    };
    let contract = write("contract.json", &succeeded(run(&["inspect", vision(), "--projection", "contract"])));
    let manifest = write("manifest.json", &succeeded(run(&["inspect", vision(), "--projection", "manifest"])));
    let list = write("list.json", &succeeded(run(&["inspect", vision()])));
    let foreign = write("foreign.json", r#"{"functions": [{"name": "f", "input_ports": [{"name": 1}]}]}"#);
    let broken = write("broken.json", "{");
    let other = write("other.json", "[1]");
    let cases: [(&[&str], &str); 10] = [
        (&[&contract, "--projection", "manifest"], "is a contract, which has no projection `manifest`"),
        (&[&manifest, "--projection", "contract"], "is a manifest, which has no projection `contract`"),
        (&[&manifest, "--profile", "inline"], "a manifest gives the profile `reference`"),
        (&[&list, "--projection", "schema"], "is a list of tools"),
        (&[&list, "--profile", "full"], "without the profile `full`"),
        (&["--manifest", &foreign], "`/functions/0/input_ports/0/name`: is a number, and should be text"),
        (&["--manifest", &list], "has no `functions`; a manifest is what `GET /manifest` answers"),
        (&["--manifest", &broken], "is not JSON: EOF while parsing an object at line 1 column 1"),
        (&[&other], "no contract, manifest or list of tools"),
        (&[vision(), "--profile", "full", "--projection", "manifest"], "leave --projection out"),
    ];
    for (arguments, sentence) in cases {
        let error = failed(run(&[&["inspect"], arguments].concat()), 2);
        assert!(error.contains(sentence), "{arguments:?}: {error}");
    }
}

#[test]
fn the_fields_of_an_object_are_shown_below_it() {
    let text = succeeded(run(&["inspect", vision(), "--node", "segment", "--format", "text"]));
    let fields: Vec<&str> = text.lines().map(str::trim).filter(|line| line.starts_with('.')).collect();
    assert!(fields.iter().any(|line| line.starts_with(".share ") && line.contains("number")), "{text}");
    assert!(fields.iter().any(|line| line.starts_with(".red ")), "{text}");
}

#[test]
fn a_binary_that_is_no_host_is_not_run() {
    let error = failed(run(&["inspect", "/bin/ls"]), 2);
    assert!(error.contains("is not built on `nodecast::serve`"), "{error}");
    // This one holds the words, and prints its help when asked for a contract.
    let error = failed(run(&["inspect", env!("CARGO_BIN_EXE_codegen-cli")]), 3);
    assert!(error.contains("printed no mcp") && error.lines().count() < 10, "{error}");
}

#[test]
fn a_call_answers_on_stdout_and_saves_pictures() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(&["call", vision(), "segment", PHOTOGRAPH, "min_area=0.01", "-o", path(folder.path())]);
    let saved = String::from_utf8_lossy(&output.stderr).into_owned();
    let answer: Value = serde_json::from_str(&succeeded(output)).unwrap();
    assert!(answer["objects"].as_array().unwrap().len() > 1, "{answer}");
    let overlay = folder.path().join("segment-overlay.png");
    assert!(saved.contains(path(&overlay)), "{saved}");
    assert!(fs::read(overlay).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn a_call_in_json_is_the_result_itself() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["call", vision(), "vision__edges", PHOTOGRAPH, "--format", "json"];
    let whole: Value = serde_json::from_str(&succeeded(run(&arguments))).unwrap();
    assert_eq!(image_block(&whole)["mimeType"], "image/png");
    assert!(image_block(&whole)["data"].is_string());
    let with_files = run(&[&arguments[..], &["--output", path(folder.path())]].concat());
    let filed: Value = serde_json::from_str(&succeeded(with_files)).unwrap();
    assert!(Path::new(image_block(&filed)["path"].as_str().unwrap()).is_file(), "{filed}");
}

#[test]
fn a_call_with_wrong_arguments_is_refused_with_a_hint() {
    let refused = failed(run(&["call", vision(), "segment", "min_area=0.01"]), 1);
    assert!(refused.starts_with("error: ") && refused.contains("image") && refused.contains("hint: "), "{refused}");
    let refused = failed(run(&["call", vision(), "segment", PHOTOGRAPH, "min_are=0.01", "max_objects=0"]), 1);
    assert!(refused.contains("min_area") && refused.contains("also: `/max_objects`"), "{refused}");
    assert!(refused.contains(&format!("codegen-cli inspect {} --node segment", vision())), "{refused}");
}

#[test]
fn errors_for_programs_are_one_json_object_on_stderr() {
    let object = |output, code| serde_json::from_str::<Value>(&failed(output, code)).unwrap();

    let refused = object(run(&["call", vision(), "segment", "--format", "json"]), 1);
    assert_eq!((&refused["exit"], &refused["stage"]), (&1.into(), &"schema_validation".into()), "{refused}");

    let unknown = object(run(&["call", vision(), "segmnt", "--format", "json"]), 1);
    assert_eq!((&unknown["type"], &unknown["nearest"]), (&"unknown_tool".into(), &"segment".into()), "{unknown}");

    let misused = object(run(&["list", "--no-such-flag", "--format", "json"]), 2);
    assert_eq!(misused["type"], "usage", "{misused}");

    for address in ["http://127.0.0.1:1", "https://127.0.0.1:1"] {
        let unreachable = object(run(&["list", address, "--format", "json"]), 3);
        assert_eq!(unreachable["type"], "unreachable", "{unreachable}");
        assert!(unreachable["error"].as_str().unwrap().contains("refused"), "{unreachable}");
    }
}

#[test]
fn mistakes_on_the_command_line_exit_with_2_and_name_the_way_out() {
    let cases: [(&[&str], &str); 9] = [
        (&["inspct"], "inspect"),
        (&["call", "-p", "vision", "segment", "image=fixtures/vision/photographs/coins.png"], "image=@fixtures/"),
        (&["inspect", "--projction", "mcp"], "--projection"),
        (&["inspect", "-p", "visoin"], "there is `vision`"),
        (&["inspect", "/no/such/file"], "a target is a crate"),
        (&["list"], "choose one with -p"),
        (&["call", "-p", "vision", "a=1"], "[TARGET] TOOL"),
        (&["call", "-p", "vision", "segment", "image=@/no/such/file"], "/no/such/file"),
        (&["call", "-p", "vision", "segment", "min_area=much"], "takes a number"),
    ];
    for (arguments, hint) in cases {
        let error = failed(run(arguments), 2);
        assert!(error.contains(hint), "{arguments:?}: {error}");
    }
}

#[test]
fn a_crate_that_does_not_compile_shows_the_words_of_cargo() {
    let krate = Scratch::new("broken", "pub fn number() -> u32 { \"no\" }\n");
    let error = failed(krate.run(&["inspect"]), 3);
    assert!(error.contains("error[E0308]: mismatched types") && error.contains("src/lib.rs:1"), "{error}");
    assert!(error.contains("error: the host of `broken` could not be built"), "{error}");
}

#[test]
fn a_crate_without_nodesets_says_so() {
    let krate = Scratch::new("empty", "");
    let error = failed(krate.run(&["list"]), 1);
    assert!(error.contains("nodeset"), "{error}");
}

#[test]
fn a_crate_with_several_nodesets_is_one_target() {
    let krate = Scratch::new("both", "extern crate gridworld as _;\nextern crate vision as _;\n");
    let all = succeeded(krate.run(&["list"]));
    assert!(all.contains("gridworld__step") && all.contains("vision__segment"), "{all}");
    let one = succeeded(krate.run(&["list", "--nodeset", "gridworld"]));
    assert!(one.contains("gridworld__step") && !one.contains("vision__segment"), "{one}");
    let policies: Value = serde_json::from_str(&succeeded(krate.run(&["inspect", "--projection", "policy"]))).unwrap();
    assert_eq!((&policies["gridworld"]["exclusive"], &policies["vision"]["exclusive"]), (&true.into(), &false.into()));
    let moved = succeeded(krate.run(&["call", "step", "action=right"]));
    assert_eq!(serde_json::from_str::<Value>(&moved).unwrap()["steps"], 1, "{moved}");
}

#[test]
fn a_nodeset_that_another_client_holds_can_be_looked_at_and_not_called() {
    // The host of a user's crate has no feature that the tests turn on, so that one of them serves and is called here.
    let krate = Scratch::plain("held", "extern crate gridworld as _;\n", "gridworld");
    let server = Server::start(krate.cli(&["serve", "--port", "0"]));
    succeeded(run(&["call", &server.address, "step", "action=up"]));
    server.hold();
    assert!(succeeded(run(&["list", &server.address])).contains("gridworld__step"));
    let busy = failed(run(&["call", &server.address, "step", "action=up"]), 4);
    assert!(busy.contains("mcp_exclusive"), "{busy}");
    // The newer era has a lease in place of the session.
    for (tool, said) in [("acquire", "is held by"), ("observe", "holds it now")] {
        let busy = failed(run(&["call", &server.address, tool, "--protocol", "2026-07-28"]), 4);
        assert!(busy.contains(said), "{busy}");
    }
}

#[test]
fn a_served_crate_answers_until_it_is_told_to_stop() {
    let mut server = Server::start(cli(&["serve", "-p", "vision", "--port", "0"]));
    let local = |arguments: &[&str]| succeeded(run(&[arguments, &[vision()]].concat()));
    assert_eq!(succeeded(run(&["list", &server.address])), local(&["list"]));
    for projection in ["mcp", "contract", "manifest"] {
        let remote = succeeded(run(&["inspect", &server.address, "--projection", projection]));
        assert_eq!(remote, local(&["inspect", "--projection", projection]), "{projection}");
    }
    let answer = succeeded(run(&["call", &server.address, "describe", PHOTOGRAPH]));
    assert!(serde_json::from_str::<Value>(&answer).is_ok(), "{answer}");
    assert_eq!(server.terminate(), Some(0));
}

#[test]
fn a_host_over_stdio_is_a_command_like_any_other() {
    let command = format!("{} serve -p vision --stdio", env!("CARGO_BIN_EXE_codegen-cli"));
    let text = succeeded(run(&["list", "--command", &command]));
    assert!(text.contains("vision__segment"), "{text}");
    let error = failed(run(&["list", "--command", "no-such-program"]), 3);
    assert!(error.contains("no-such-program"), "{error}");
    let error = failed(run(&["list", "--command", "sh -c 'echo out of order >&2; exit 1'"]), 3);
    assert!(error.contains("out of order"), "{error}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_call_is_cancelled_on_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("server.sh");
    fs::write(&script, SLOW).unwrap();
    let command = format!("sh {} {}", path(&script), path(folder.path()));
    let call =
        cli(&["call", "wait", "--command", &command, "--format", "json"]).stderr(Stdio::piped()).spawn().unwrap();
    wait_for(&folder.path().join("called"));
    Command::new("kill").args(["-INT", &call.id().to_string()]).status().unwrap();
    let error = failed(call.wait_with_output().unwrap(), 130);
    assert_eq!(serde_json::from_str::<Value>(&error).unwrap()["type"], "cancelled", "{error}");
    wait_for(&folder.path().join("cancelled"));
}

/// Fault T24; a program is given what the server said.
#[test]
fn t24_what_a_server_says_cannot_drive_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("server.sh");
    fs::write(&script, HOSTILE).unwrap();
    let command = format!("sh {}", path(&script));
    for arguments in [&["list"][..], &["inspect", "--format", "text"], &["call", "paint"], &["call", "fail"]] {
        let output = run(&[arguments, &["--command", &command]].concat());
        let shown = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
        assert!(shown.contains("\\u{1b}]52"), "{arguments:?}: {shown}");
        assert!(!shown.contains(['\u{1b}', '\u{9b}', '\u{7}', '\r']), "{arguments:?}: {shown:?}");
    }
    let told = succeeded(run(&["call", "paint", "--command", &command, "--format", "json"]));
    let told: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(told["content"][0]["text"], "\u{1b}]52;c;aGk=\u{7}\u{9b}2J\u{1b}[2J\rover");
}

#[test]
fn expand_shows_what_the_macros_make() {
    let whole = succeeded(run(&["expand", "-p", "vision"]));
    assert!(whole.contains("__private"), "{whole}");
    let one = succeeded(run(&["expand", "-p", "vision", "--node", "segment"]));
    assert!(one.contains("struct Segment") && one.len() < whole.len(), "{one}");
    assert!(failed(run(&["expand", "-p", "vision", "--node", "Segmnt"]), 1).contains("there is `Segment`"));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("lib.rs");
    fs::write(&file, "#[node]\nstruct A {\n    a: i128,\n}\n\n#[node]\nenum B {}\n").unwrap();
    let mistakes = failed(run(&["expand", path(&file)]), 1);
    assert!(
        mistakes.contains("lib.rs:3:8: ") && mistakes.contains("also: ") && mistakes.contains("lib.rs:7:"),
        "{mistakes}"
    );
}

#[test]
fn completions_know_the_verbs() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = succeeded(run(&["completions", shell]));
        assert!(script.contains("inspect") && script.contains("projection"), "{shell}");
    }
}

#[test]
fn colour_is_as_the_environment_says() {
    let coloured = |name: &str| {
        let output = cli(&["list", "-p", "visoin"]).env(name, "1").output().unwrap();
        failed(output, 2).contains('\u{1b}')
    };
    assert!(coloured("CLICOLOR_FORCE"));
    assert!(!coloured("NO_COLOR"));
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let mut child = cli(&["completions", "bash"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}
