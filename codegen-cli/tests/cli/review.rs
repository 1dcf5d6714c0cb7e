//! The contract workflow as a reviewer walks through it: snapshots, verdicts, the baseline, lint, cost, clients.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::support::{Scratch, Server, cli, failed, path, root, run, succeeded, vision};

const NODES: &str = r#"//! A crate to be edited.

use nodecast::prelude::*;

/// Counts.
#[nodeset(name = "walk", nodes(Count))]
#[derive(Default)]
pub struct Walk;

/// Counts the words of a text.
#[node(read_only)]
pub struct Count {
    /// Text to count in.
    text: String,
    /// Words shorter than this do not count.
    #[config(slider(min = 1, max = 20, step = 1), default = 1)]
    shortest: u32,
}

/// What was counted.
#[derive(Outputs)]
pub struct Counted {
    /// How many words there are.
    words: u32,
}

impl Node<Walk> for Count {
    type Output = Counted;
    type Error = Error;

    async fn run(self, _: &Walk, _: &Context) -> Result<Counted, Error> {
        let long = |word: &&str| word.chars().count() >= self.shortest as usize;
        let words = self.text.split_whitespace().filter(long).count() as u32;
        Ok(Counted { words })
    }
}
"#;

/// A crate in a repository of its own, whose first commit is what it is compared with.
struct Repository(Scratch);

impl Repository {
    fn new(name: &str) -> Self {
        let repository = Self(Scratch::new(name, NODES));
        succeeded(repository.0.run(&["snapshot"]));
        repository.git(&["init", "--quiet", "--initial-branch=main"]);
        repository.git(&["add", "."]);
        repository.git(&["commit", "--quiet", "--message", "First"]);
        repository
    }

    fn git(&self, arguments: &[&str]) {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=A", "-c", "user.email=a@example.com"]).args(arguments);
        let output = git.current_dir(self.0.folder()).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    /// The crate with this edit of its first commit, its snapshots brought up to date.
    fn edit(&self, edits: &[(&str, &str)]) {
        let source = edits.iter().fold(NODES.to_owned(), |source, (from, to)| {
            assert!(source.contains(from), "{from}");
            source.replace(from, to)
        });
        fs::write(self.0.folder().join("src/lib.rs"), source).unwrap();
    }

    fn check(&self) -> (Option<i32>, String) {
        let output = self.0.run(&["check"]);
        (output.status.code(), String::from_utf8(output.stdout).unwrap() + &String::from_utf8_lossy(&output.stderr))
    }
}

/// What is edited, with what `check` then exits, and what it says.
type Step<'a> = (&'a [(&'a str, &'a str)], i32, &'a str);

/// `contract.md` 7: rename a port, tighten a bound, add an output field, reword a doc.
#[test]
#[ignore = "builds several hosts, which takes minutes; .ci/full runs it"]
fn a_change_as_a_reviewer_sees_it() {
    let crate_ = Repository::new("walked");
    assert_eq!(crate_.check().0, Some(0));
    let renamed: &[(&str, &str)] =
        &[("    text: String", "    source_text: String"), ("self.text", "self.source_text")];
    let steps: [Step<'_>; 4] = [
        (renamed, 100, "`text` is called `source_text`"),
        (&[("max = 20", "max = 10")], 100, "range_changed"),
        (
            &[
                ("    words: u32,\n", "    words: u32,\n    /// Of all.\n    share: f32,\n"),
                ("Counted { words }", "Counted { words, share: 1.0 }"),
            ],
            0,
            "`share` is new",
        ),
        (&[("Counts the words of a text.", "Counts words.")], 0, "doc_changed"),
    ];
    for (edits, code, said) in steps {
        crate_.edit(edits);
        let (stale, text) = crate_.check();
        assert_eq!(stale, Some(if code == 100 { 100 } else { 4 }), "{text}");
        assert!(text.contains("snapshots/mcp/walk__count.snap") && text.contains("codegen-cli snapshot"), "{text}");
        succeeded(crate_.0.run(&["snapshot"]));
        let (checked, text) = crate_.check();
        assert_eq!(checked, Some(code), "{text}");
        // The finding, and where it is declared, as editors make it clickable.
        assert!(text.contains(said) && text.contains("src/lib.rs:11"), "{text}");
    }
    // A raised version lets what breaks pass.
    crate_.edit(renamed);
    succeeded(crate_.0.run(&["snapshot"]));
    assert_eq!(crate_.check().0, Some(100));
    assert_eq!(crate_.0.run(&["check", "--allow-breaking"]).status.code(), Some(0));
    let manifest = crate_.0.folder().join("Cargo.toml");
    let raised = fs::read_to_string(&manifest).unwrap().replacen("edition", "version = \"0.1.0\"\nedition", 1);
    fs::write(&manifest, raised).unwrap();
    let (checked, text) = crate_.check();
    assert_eq!(checked, Some(0), "{text}");
    assert!(text.contains("the version was raised from 0.0.0 to 0.1.0"), "{text}");
    // The difference by itself, against a revision, and as other forms.
    let shown = succeeded(crate_.0.run(&["diff", "HEAD", "--json"]));
    let shown: Value = serde_json::from_str(&shown).unwrap();
    assert_eq!((&shown["worst"], &shown["findings"][0]["rule"]), (&"breaking".into(), &"field_renamed".into()));
    assert_eq!(crate_.0.run(&["diff", "HEAD", "--exit-code"]).status.code(), Some(100));
    let annotated = succeeded(crate_.0.run(&["diff", "--format", "github"]));
    assert!(annotated.starts_with("::error file=src/lib.rs,line=11,title=breaking"), "{annotated}");
    assert!(succeeded(crate_.0.run(&["diff", "--format", "markdown"])).contains("| **breaking** | `walk__count"));
    assert!(succeeded(crate_.0.run(&["diff", "--format", "junit"])).contains("<failure type=\"breaking\""));
}

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
    assert!(told.contains("profile_loss"), "{told}");
    assert!(succeeded(run(&["lint", "--explain", "type_array"])).contains("Instead: "));
    assert!(failed(run(&["lint", "--explain", "type_aray"]), 2).contains("there is `type_array`"));
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
    let sum: u64 = said["tools"].as_array().unwrap().iter().map(|tool| tool["o200k"].as_u64().unwrap()).sum();
    assert_eq!(said["total"]["o200k"], sum);
    assert!(sum > 500, "{said}");
    assert_eq!(run(&["tokens", vision(), "--max", "10"]).status.code(), Some(7));
    assert_eq!(run(&["tokens", vision(), "--max", "100000"]).status.code(), Some(0));
    let table = succeeded(run(&["tokens", vision()]));
    assert!(table.lines().next().unwrap().starts_with("tool") && table.contains("in all"), "{table}");
    let one = succeeded(run(&["tokens", vision(), "--node", "segment", "--json"]));
    let one: Value = serde_json::from_str(&one).unwrap();
    let of_segment = said["tools"].as_array().unwrap().iter().find(|tool| tool["name"] == "vision__segment").unwrap();
    assert_eq!((&one["tools"], &one["total"]["o200k"]), (&json!([of_segment]), &of_segment["o200k"]));
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
        fs::write(&file, text + " ").unwrap();
        assert!(failed(run(&check), 4).contains("without --check"));
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
