//! A change as its reviewer walks through it: edits of a crate in a repository of its own, and what `check` says of each; the
//! example in the book among them.

use std::cmp::Ordering;
use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::support::{Scratch, path, root, succeeded};

/// A crate of one node.
pub(crate) const NODES: &str = r#"//! A crate to be edited.

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
    #[config(slider(min = 1, max = 20, step = 1), default = 2)]
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
        repository.commit();
        repository
    }

    /// The first commit.
    fn commit(&self) {
        self.git(&["init", "--quiet", "--initial-branch=main"]);
        self.git(&["add", "."]);
        self.git(&["commit", "--quiet", "--message", "First"]);
    }

    fn git(&self, arguments: &[&str]) -> String {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=A", "-c", "user.email=a@example.com"]).args(arguments);
        succeeded(git.current_dir(self.0.folder()).output().unwrap())
    }

    /// The crate with this edit of its first commit.
    fn edit(&self, edits: &[(&str, &str)]) {
        fs::write(self.0.folder().join("src/lib.rs"), edited(edits)).unwrap();
    }

    fn check(&self) -> (Option<i32>, String) {
        let output = self.0.run(&["check"]);
        (output.status.code(), String::from_utf8(output.stdout).unwrap() + &String::from_utf8_lossy(&output.stderr))
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let said = succeeded(self.0.run(&[arguments, &["--json"]].concat()));
        serde_json::from_str(&said).unwrap()
    }
}

fn edited(edits: &[(&str, &str)]) -> String {
    edits.iter().fold(NODES.to_owned(), |source, (from, to)| {
        assert!(source.contains(from), "{from}");
        source.replace(from, to)
    })
}

const RENAMED: &[(&str, &str)] = &[("    text: String", "    source_text: String"), ("self.text", "self.source_text")];

/// What is edited, what `check` then exits with and says, and whether the node costs more or less.
type Step<'a> = (&'a [(&'a str, &'a str)], i32, &'a str, Ordering);

/// Issue 5 and `contract.md` 7: rename a port, tighten a bound, add an output field, reword a doc.
#[test]
#[ignore = "builds several hosts, which takes minutes; .ci/full runs it"]
fn a_change_as_a_reviewer_sees_it() {
    let crate_ = Repository::new("walked");
    assert_eq!(crate_.check().0, Some(0));
    assert_eq!(crate_.json(&["tokens", "--baseline", "HEAD"])["total"]["change"], 0);
    let steps: [Step<'_>; 4] = [
        (RENAMED, 100, "`text` is called `source_text`", Ordering::Greater),
        (&[("max = 20", "max = 10")], 100, "range_changed", Ordering::Equal),
        (
            &[
                ("    words: u32,\n", "    words: u32,\n    /// Of all.\n    share: f32,\n"),
                ("Counted { words }", "Counted { words, share: 1.0 }"),
            ],
            0,
            "`share` is new",
            Ordering::Greater,
        ),
        (&[("Counts the words of a text.", "Counts words.")], 0, "doc_changed", Ordering::Less),
    ];
    for (edits, code, said, cost) in steps {
        crate_.edit(edits);
        let (stale, text) = crate_.check();
        assert_eq!(stale, Some(if code == 100 { 100 } else { 4 }), "{text}");
        assert!(text.contains("snapshots/mcp/walk__count.snap") && text.contains("codegen-cli snapshot"), "{text}");
        // Nothing else moves.
        let written = crate_.json(&["snapshot"]);
        let written = written["findings"].as_array().unwrap();
        let is_of_the_node = |file: &Value| file["subject"].as_str().unwrap().ends_with("/walk__count.snap");
        assert!(!written.is_empty() && written.iter().all(is_of_the_node), "{written:?}");
        let (checked, text) = crate_.check();
        assert_eq!(checked, Some(code), "{text}");
        // The finding, and where it is declared, as editors make it clickable.
        assert!(text.contains(said) && text.contains("src/lib.rs:11"), "{text}");
        let priced = crate_.json(&["tokens", "--baseline", "HEAD"]);
        assert_eq!(priced["tools"][0]["change"].as_i64().unwrap().cmp(&0), cost, "{priced}");
        assert_eq!(priced["tools"][0]["change"], priced["total"]["change"]);
    }
    as_in_the_book(&crate_);
    // A raised version lets what breaks pass.
    crate_.edit(RENAMED);
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
    let shown = crate_.json(&["diff", "HEAD"]);
    assert_eq!((&shown["worst"], &shown["findings"][0]["rule"]), (&"breaking".into(), &"field_renamed".into()));
    assert_eq!(shown["findings"][0]["class"], "wire");
    assert_eq!(crate_.0.run(&["diff", "HEAD", "--exit-code"]).status.code(), Some(100));
    let annotated = succeeded(crate_.0.run(&["diff", "--format", "github"]));
    assert!(annotated.starts_with("::error file=src/lib.rs,line=11,title=breaking"), "{annotated}");
    assert!(succeeded(crate_.0.run(&["diff", "--format", "markdown"])).contains("| **breaking** | `walk__count"));
    assert!(succeeded(crate_.0.run(&["diff", "--format", "junit"])).contains("<failure type=\"breaking\""));
}

/// The edit that the book shows, the difference of the snapshot and the verdict: what git and `check` print.
fn as_in_the_book(crate_: &Repository) {
    let page = fs::read_to_string(root().join("docs/contract.md")).unwrap();
    let example = page.split("\n## An example\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let blocks: Vec<&str> = example.split("```").skip(1).step_by(2).collect();
    assert_eq!(blocks.len(), 3, "{blocks:?}");
    let (declaration, snapshot, said) = (blocks[0], blocks[1], blocks[2]);
    let signed = |block: &str, sign: char| -> Vec<String> {
        block.lines().filter_map(|line| line.strip_prefix(sign)).map(str::to_owned).collect()
    };
    let (gone, new) = (signed(declaration, '-'), signed(declaration, '+'));
    assert!(!gone.is_empty() && gone.len() == new.len(), "{declaration}");
    let edits: Vec<(&str, &str)> = gone.iter().map(String::as_str).zip(new.iter().map(String::as_str)).collect();
    // What else the port's name stands in.
    crate_.edit(&[edits.as_slice(), &[("self.text", "self.source_text")]].concat());
    succeeded(crate_.0.run(&["snapshot"]));

    let file = snapshot.lines().nth(1).unwrap().trim();
    let changed = crate_.git(&["diff", "--unified=0", "--", file]);
    let hunks = changed.split_once("\n@@").unwrap().1;
    for sign in ['-', '+'] {
        assert_eq!(signed(snapshot, sign), signed(hunks, sign), "{changed}");
    }

    let output = crate_.0.run(&["check"]);
    assert_eq!(output.status.code(), Some(100));
    let without_commit = |text: &str| text.rsplit_once(" since ").unwrap().0.trim().to_owned();
    let shown = said.strip_prefix("console\n$ codegen-cli check\n").unwrap();
    assert_eq!(without_commit(&String::from_utf8(output.stdout).unwrap()), without_commit(shown));
}

/// A dependency outside of the repository, no lock file in it, and a crate that has moved since: each of them led elsewhere
/// where a commit is built in a folder of its own.
#[test]
#[ignore = "builds several hosts, which takes minutes; .ci/full runs it"]
fn a_crate_is_compared_with_what_it_was_elsewhere() {
    let crate_ = Repository(Scratch::new("moved", NODES));
    let folder = fs::canonicalize(crate_.0.folder()).unwrap();
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    let relative = |depth: usize| {
        let up = "../".repeat(folder.components().count() - 1 + depth);
        manifest.replace(&format!("'{}/", path(&root())), &format!("'{up}{}/", path(&root()).trim_start_matches('/')))
    };
    fs::write(folder.join("Cargo.toml"), relative(0)).unwrap();
    fs::write(folder.join(".gitignore"), "Cargo.lock\n").unwrap();
    crate_.commit();
    let inner = folder.join("nodes");
    fs::create_dir_all(inner.join("src")).unwrap();
    fs::remove_file(folder.join("Cargo.toml")).unwrap();
    fs::remove_dir_all(folder.join("src")).unwrap();
    fs::rename(folder.join("Cargo.lock"), inner.join("Cargo.lock")).unwrap();
    fs::write(inner.join("Cargo.toml"), relative(1)).unwrap();
    fs::write(inner.join("src/lib.rs"), edited(RENAMED)).unwrap();
    let output = crate_.0.run(&["check", "--manifest-path", "nodes/Cargo.toml"]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(100), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("`text` is called `source_text`") && said.contains("nodes/src/lib.rs:11"), "{said}");
    // Nothing is left behind.
    assert_eq!(crate_.git(&["worktree", "list"]).lines().count(), 1);
}
