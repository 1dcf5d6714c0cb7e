//! The book names every word with an example, and every example is in code that compiles with the runtime's doctests.

use std::path::Path;

use super::offers::{prompt, resource};
use super::{container, field, node, node_error, nodeset, outputs};

/// The pages about declarations.
const PAGES: [&str; 3] = ["declaring-nodes.md", "resources-and-prompts.md", "containers.md"];

fn page(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name)).unwrap()
}

/// The words that a macro expects, by its own message.
fn words(found: &[(String, String)]) -> Vec<String> {
    let (_, expected) = found[0].1.split_once("; expected ").unwrap();
    expected.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The first cells of a table's rows: word and example.
fn rows(lines: &[&str]) -> Vec<(String, String)> {
    let body =
        lines.iter().skip_while(|line| !line.starts_with("|---")).skip(1).take_while(|line| line.starts_with('|'));
    let row = |line: &&str| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        (cells[1].trim_matches('`').to_owned(), cells[2].trim_matches('`').to_owned())
    };
    body.map(row).collect()
}

#[test]
fn every_word_has_a_row() {
    let pages = PAGES.map(page);
    let lines: Vec<&str> = pages.iter().flat_map(|page| page.lines()).collect();
    let unknown = "an_unknown_word_that_is_near_none";
    for (attribute, found) in [
        ("nodeset", nodeset(unknown, "struct A;")),
        ("node", node(unknown, "struct A;")),
        ("resource", resource(unknown, "struct A;")),
        ("prompt", prompt(unknown, "struct A;")),
        ("argument", prompt("", &format!("struct A {{ #[argument({unknown})] a: u8 }}"))),
        ("port", field(&format!("#[port({unknown})] a: u8"))),
        ("config", field(&format!("#[config({unknown})] a: u8"))),
        ("display", outputs(&format!("struct A {{ #[display({unknown})] a: u8 }}"))),
        ("outputs", outputs(&format!("#[outputs({unknown})] struct A;"))),
        ("container", container(&format!("#[container({unknown})] struct A {{ a: Counter }}"))),
        ("state", container(&format!("struct A {{ #[state({unknown})] a: Counter }}"))),
        ("node_error", node_error(&format!("#[node_error({unknown})] enum A {{}}"))),
    ] {
        let heading = format!("`#[{attribute}(…)]`");
        let at = lines.iter().position(|line| line.trim_start_matches(['#', ' ']).starts_with(&heading));
        let rows = rows(&lines[at.unwrap_or_else(|| panic!("the book has no table of {heading}"))..]);
        for word in words(&found) {
            assert!(
                rows.iter().any(|(row, example)| *row == word && example.starts_with(&word)),
                "the book needs a row for `{word}` of {heading}"
            );
        }
    }
}

#[test]
fn every_example_is_in_code_that_compiles() {
    let mut examples = 0;
    for name in PAGES {
        examples += examples_of(&page(name));
    }
    assert!(examples > 80, "{examples}");
}

/// How many examples a page has, each of which its code has too.
fn examples_of(page: &str) -> usize {
    let mut code = String::new();
    for block in page.split("```").skip(1).step_by(2) {
        let block = block.strip_prefix("rust\n").or_else(|| block.strip_prefix("rust,standalone_crate\n"));
        let block = block.expect("a block that is compiled");
        code += block;
    }
    let mut examples = 0;
    let lines: Vec<&str> = page.lines().collect();
    for (at, _) in lines.iter().enumerate().filter(|(_, line)| line.contains("| example |")) {
        for (_, example) in rows(&lines[at..]) {
            assert!(code.contains(&example), "no code has `{example}`");
            examples += 1;
        }
    }
    examples
}
