//! One file a mistake: what the compiler says to it is reviewed as text.
//!
//! `TRYBUILD=overwrite cargo test -p nodecast-ui-tests --test ui` writes the texts anew; read every one before it is
//! committed, as the person would who made the mistake.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test ends where something is not as it should be")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// The compiler whose words the `.stderr` files hold. Others word and lay out their part differently; what the macros
/// say is compared under every compiler, by `tests/tests/messages.rs`.
const RUSTC: &str = "rustc 1.95.";

/// What trybuild hands to rustc, as cargo takes it before all else. trybuild leaves the width away while it builds the
/// dependencies, and cargo would check all of them a second time for the cases.
const FLAGS: &str = "--cfg\u{1f}trybuild\u{1f}--verbose\u{1f}-A\u{1f}dead_code\u{1f}--diagnostic-width=140";

/// The variable in which cargo takes them.
const VARIABLE: &str = "CARGO_ENCODED_RUSTFLAGS";

const TOPICS: [&str; 8] = ["node", "nodeset", "container", "resource", "prompt", "outputs", "error", "live"];

#[test]
#[allow(clippy::print_stderr, reason = "a skipped test says so to whoever runs it with --nocapture")]
fn mistakes() {
    let rustc = Command::new(std::env::var_os("RUSTC").unwrap_or("rustc".into())).arg("--version").output().unwrap();
    let version = String::from_utf8_lossy(&rustc.stdout);
    if !version.starts_with(RUSTC) {
        eprintln!("not compared: the texts are those of `{RUSTC}x`, and this is {version}");
        return;
    }
    if std::env::var(VARIABLE).as_deref() != Ok(FLAGS) {
        return mistakes_in_a_child();
    }
    let cases = trybuild::TestCases::new();
    for topic in TOPICS {
        cases.compile_fail(format!("{topic}/*.rs"));
    }
}

/// The same test with the flags set: a process can set its own variables only where nothing else runs.
#[allow(clippy::print_stdout, reason = "what trybuild says is shown as that of any test")]
fn mistakes_in_a_child() {
    let chosen = std::env::args().filter(|argument| argument.starts_with("trybuild="));
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["mistakes", "--exact", "--nocapture"]).args(chosen).env(VARIABLE, FLAGS);
    let Output { status, stdout, stderr } = child.output().unwrap();
    println!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(status.success(), "what trybuild says of it stands above");
}

/// The first line of all that the compiler says, by file.
fn messages() -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for topic in TOPICS {
        for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(topic)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "stderr") {
                let text = fs::read_to_string(&path).unwrap();
                let (_, message) = text.lines().next().unwrap().split_once(": ").unwrap();
                let message = message.trim_start_matches("evaluation panicked: ");
                let stem = path.file_stem().unwrap().to_string_lossy();
                // As a reader of the book would see it in a crate of their own.
                let message = message.replace(&format!("$DIR/{topic}/"), "src/");
                found.insert(format!("{topic}/{stem}"), message);
            }
        }
    }
    found
}

/// The rows of the page: `| rule | message | [file](link) |`.
fn rows(page: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for line in page.lines().filter(|line| line.contains("](../tests/ui/")) {
        let [rule, message, file] = line.trim_matches('|').split(" | ").collect::<Vec<_>>()[..] else {
            panic!("three cells, not {line}");
        };
        assert!(!rule.trim().is_empty(), "{line}");
        let (name, link) = file.trim().trim_start_matches('[').split_once("](").unwrap();
        assert_eq!(link, format!("../tests/ui/{name}.rs)"));
        assert!(found.insert(name.to_owned(), message.to_owned()).is_none(), "{name} has two rows");
    }
    found
}

#[test]
fn the_book_names_every_rule() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/rules.md");
    let (messages, rows) = (messages(), rows(&fs::read_to_string(page).unwrap()));
    assert!(messages.len() >= 60, "{}", messages.len());
    for (file, message) in &messages {
        assert_eq!(
            rows.get(file),
            Some(message),
            "docs/rules.md needs the row `| rule | {message} | [{file}](../tests/ui/{file}.rs) |`"
        );
    }
    for file in rows.keys() {
        assert!(messages.contains_key(file), "docs/rules.md names {file}, which is no file");
    }
}
