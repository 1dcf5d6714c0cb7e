//! The projections of a catalog as the files that a reviewer reads: one folder a projection, one file a node where a
//! projection is about nodes, so that an edit of a node changes files of that node alone.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json, json};

use super::Profile;
use super::tools::{Published, published};
use crate::catalog::Catalog;
use crate::decl::Source;
use crate::manifest::{self, Limits};

/// Folder and stem of a file below `snapshots/`; the file ends in `.snap`.
pub type Place = (&'static str, String);

/// The folders below it. In a folder of these, a file that is called as no projection is called any more is an orphan.
pub const FOLDERS: [&str; 6] = ["losses", "manifest", "mcp", "policy", "reference", "schema"];

/// Columns of a line.
const WIDTH: usize = 110;

/// Every file and its text; the hash is masked, since it moves with every change and the text shows where it was made.
pub fn snapshots(catalog: &Catalog) -> BTreeMap<Place, String> {
    of_published(catalog, &published(catalog))
}

/// The same of what profiles have made of the catalog already.
pub(super) fn of_published(catalog: &Catalog, published: &[Published]) -> BTreeMap<Place, String> {
    let mut files = BTreeMap::new();
    let mut document = manifest::document(catalog, "sha256:…", Limits::default());
    if let Some(functions) = document.get_mut("functions") {
        *functions = catalog.functions().map(|entry| json!(entry.full_name)).collect();
    }
    files.insert(("manifest", catalog.name.to_string()), pretty(&document));
    files.insert(("policy", catalog.name.to_string()), pretty(&super::policy(catalog)));

    let names: BTreeMap<&str, &str> = catalog.entries.iter().map(|entry| (&*entry.full_name, &*entry.name)).collect();
    let mut lost: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for Published { profile, tools, losses } in published {
        for loss in losses {
            let line = format!("{}: {} at {}", profile.as_str(), loss.lost, loss.pointer);
            lost.entry(&loss.tool).or_default().push(line);
        }
        let folder = match profile {
            Profile::Inline => "mcp",
            Profile::Reference => "reference",
            Profile::Full | Profile::Strict | Profile::Gemini | Profile::Legacy => continue,
        };
        // The nodes, and what the runtime adds to a nodeset that one client holds.
        for tool in tools {
            let name = names.get(&*tool.name).copied().or_else(|| tool.name.rsplit("__").next());
            let name = format!("{}__{}", catalog.name, name.unwrap_or_default());
            files.insert((folder, name), pretty(&tool.to_json()));
        }
    }
    for entry in &catalog.entries {
        let name = format!("{}__{}", catalog.name, entry.name);
        // What MCP alone has is in no manifest.
        if !entry.mcp_only {
            let mut function = manifest::function(entry);
            for schema in ["input_schema", "output_schema"] {
                // They have a file of their own.
                if let Some(schema) = function.pointer_mut(&format!("/nodecast/{schema}")) {
                    *schema = json!("see schema/");
                }
            }
            files.insert(("manifest", name.clone()), pretty(&function));
        }
        let schemas = json!({"input": entry.input_schema, "output": entry.output_schema});
        files.insert(("schema", name.clone()), pretty(&schemas));
        // What each profile leaves out, a line each.
        let losses = lost.get(&*entry.full_name).map_or_else(|| "nothing".to_owned(), |lines| lines.join("\n"));
        files.insert(("losses", name), losses);
    }
    let listed = super::resources(catalog).into_iter().chain(super::templates(catalog));
    for (kind, one) in
        listed.map(|one| ("resource", one)).chain(super::prompts(catalog).into_iter().map(|one| ("prompt", one)))
    {
        let full_name = one.get("name").and_then(Json::as_str).unwrap_or_default();
        let name = full_name.rsplit_once("__").map_or(full_name, |(_, name)| name);
        files.insert(("mcp", format!("{}__{kind}__{name}", catalog.name)), pretty(&one));
    }
    files
}

/// Where each thing of a catalog is declared, under its full name and under the name of its snapshots; the nodeset under its
/// own name and its prefix.
pub fn sources(catalog: &Catalog) -> Json {
    let nodeset = [&catalog.name, &catalog.prefix].map(|name| (name.to_string(), catalog.source));
    let both = |full_name: &str, kind: &str, name: &str, source: Option<Source>| {
        [(full_name.to_owned(), source), (format!("{}__{kind}{name}", catalog.name), source)]
    };
    let short = |name: &str| name.rsplit_once("__").map_or(name, |(_, name)| name).to_owned();
    let nodes = catalog.entries.iter().flat_map(|entry| both(&entry.full_name, "", &entry.name, entry.source));
    let resources = catalog
        .resources
        .iter()
        .flat_map(|resource| both(&resource.full_name, "resource__", &short(&resource.full_name), resource.source));
    let prompts = catalog
        .prompts
        .iter()
        .flat_map(|prompt| both(&prompt.full_name, "prompt__", &short(&prompt.full_name), prompt.source));
    let all = nodeset.into_iter().chain(nodes).chain(resources).chain(prompts);
    let known = all.filter(|(name, _)| !name.is_empty()).filter_map(|(name, source)| {
        let Source { file, line } = source?;
        Some((name, json!({"file": file, "line": line})))
    });
    Json::Object(known.collect::<Map<_, _>>())
}

/// JSON for reading and for line by line comparison: what fits on a line stands on one.
fn pretty(value: &Json) -> String {
    let mut text = String::new();
    write(value, 0, 0, &mut text);
    text
}

/// `used` columns of the line stand before the value.
fn write(value: &Json, indent: usize, used: usize, text: &mut String) {
    let line = one_line(value);
    if used + line.chars().count() <= WIDTH {
        text.push_str(&line);
        return;
    }
    let (open, close, parts): (_, _, Vec<(String, &Json)>) = match value {
        Json::Array(items) => ('[', ']', items.iter().map(|item| (String::new(), item)).collect()),
        Json::Object(members) => {
            ('{', '}', members.iter().map(|(key, member)| (format!("{}: ", json!(key)), member)).collect())
        }
        _ => return text.push_str(&line),
    };
    let inner = indent + 2;
    text.push(open);
    for (index, (key, part)) in parts.into_iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        text.extend([comma, "\n", &" ".repeat(inner), &key]);
        write(part, inner, inner + key.chars().count() + 1, text);
    }
    text.extend(["\n", &" ".repeat(indent)]);
    text.push(close);
}

fn one_line(value: &Json) -> String {
    match value {
        Json::Array(items) => format!("[{}]", items.iter().map(one_line).collect::<Vec<_>>().join(", ")),
        Json::Object(members) => {
            let members = members.iter().map(|(key, member)| format!("{}: {}", json!(key), one_line(member)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
        scalar => scalar.to_string(),
    }
}

/// A snapshot file as insta writes it: whose test compares it, and the text.
pub fn snapshot_file(source: &str, text: &str) -> String {
    format!("---\nsource: {source}\n---\n{}\n", text.trim_end())
}

/// Whose test compares a snapshot file, and its text; nothing of what is no such file. Lines may end as git leaves them on
/// Windows.
pub fn read_snapshot(file: &str) -> Option<(&str, &str)> {
    let head = file.strip_prefix("---\r\n").or_else(|| file.strip_prefix("---\n"))?;
    let (head, text) = head.split_once("\n---\n").or_else(|| head.split_once("\r\n---\r\n"))?;
    let source = head.lines().find_map(|line| line.strip_prefix("source: "))?;
    Some((source, text))
}

/// Whether two texts of snapshots are the same, as insta compares them.
pub fn same_snapshot(kept: &str, made: &str) -> bool {
    kept.trim_end().lines().eq(made.trim_end().lines())
}

#[cfg(test)]
mod tests {
    use super::{read_snapshot, same_snapshot, snapshot_file};

    #[test]
    fn a_file_is_read_as_it_is_written() {
        let file = snapshot_file("tests/snapshots.rs", "{\n  \"a\": 1\n}\n\n");
        assert_eq!(file, "---\nsource: tests/snapshots.rs\n---\n{\n  \"a\": 1\n}\n");
        let (source, text) = read_snapshot(&file).unwrap();
        assert_eq!(source, "tests/snapshots.rs");
        assert!(same_snapshot(text, "{\n  \"a\": 1\n}"));
        assert!(!same_snapshot(text, "{\n  \"a\": 2\n}"));
        assert_eq!(read_snapshot("text"), None);
    }

    /// As git checks it out where `core.autocrlf` is on.
    #[test]
    fn a_file_whose_lines_end_otherwise_is_the_same() {
        let file = snapshot_file("tests/snapshots.rs", "{\n  \"a\": 1\n}").replace('\n', "\r\n");
        let (source, text) = read_snapshot(&file).unwrap();
        assert_eq!(source, "tests/snapshots.rs");
        assert!(same_snapshot(text, "{\n  \"a\": 1\n}"));
    }
}
