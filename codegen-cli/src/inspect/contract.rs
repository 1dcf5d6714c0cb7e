//! The contract document as text: the facts of the nodeset, then a table a node, a resource and a prompt.

use console::style;
use serde_json::Value;

use super::manifest::{field, port};
use super::table::{self, Line};
use crate::output::printable;
use crate::tools;

/// A contract as text.
pub(crate) fn text(printed: &Value) -> String {
    let texts = tools::documents(printed, "contract").into_iter().map(|document| {
        let mut text = heading(document);
        for node in nodes(document) {
            text.push('\n');
            text.push_str(&entry(node));
        }
        for offer in offers(document) {
            text.push('\n');
            text.push_str(&offer);
        }
        text.push('\n');
        text.push_str(&profiles(document));
        text
    });
    texts.collect::<Vec<_>>().join("\n\n")
}

/// The nodes of the one contract, or of all.
pub(crate) fn nodes(printed: &Value) -> impl Iterator<Item = &Value> {
    let contracts = tools::documents(printed, "contract").into_iter().filter_map(|document| document.get("contract"));
    contracts.flat_map(|contract| tools::entries(contract, "nodes"))
}

/// The full name of a node; of anything else, its name.
pub(crate) fn full_name(entry: &Value) -> &str {
    entry.get("full_name").and_then(Value::as_str).unwrap_or_else(|| tools::name(entry))
}

fn heading(document: &Value) -> String {
    let word = |pointer: &str| document.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    let gated = document.pointer("/contract/nodeset/gated").and_then(Value::as_array).map_or(0, Vec::len);
    let exclusive = match (document.pointer("/contract/nodeset/exclusive"), gated) {
        (Some(Value::Bool(true)), 0 | 1) => "one MCP client at a time",
        (Some(Value::Bool(true)), _) => "one client at a time",
        _ => "open to any number of clients",
    };
    let doc = word("/contract/nodeset/doc").trim();
    let mut text = format!(
        "{}  {}\n",
        style(printable(word("/contract/nodeset/name"))).bold(),
        style(printable(&format!("{}, {}, {exclusive}", word("/version"), word("/contract/nodeset/parallelism"))))
            .dim()
    );
    if !doc.is_empty() {
        text.push_str(&table::indented(&table::paragraphs(&printable(doc))));
    }
    // In a line of its own, unbroken, so that it can be copied.
    text + &format!("  {}\n", printable(word("/hash")))
}

/// What is published for whom: the hash of each profile, and what it leaves out.
fn profiles(document: &Value) -> String {
    let projections = document.get("projections").and_then(Value::as_object);
    let texts = projections.into_iter().flatten().map(|(profile, projection)| {
        let losses = tools::entries(projection, "losses");
        let hash = projection.get("hash").and_then(Value::as_str).unwrap_or_default();
        let mut text = format!(
            "{}  {}\n  {}\n",
            style(printable(&format!("profile {profile}"))).bold(),
            style(match losses.len() {
                0 => "leaves out nothing".to_owned(),
                1 => "leaves out one thing".to_owned(),
                many => format!("leaves out {many} things"),
            })
            .dim(),
            printable(hash)
        );
        let rows = losses.iter().map(|loss| {
            let word = |key: &str| loss.get(key).and_then(Value::as_str).unwrap_or_default();
            (word("lost").to_owned(), format!("{} {}", word("tool"), word("pointer")))
        });
        if !losses.is_empty() {
            text.push_str(&table::indented(&table::pairs(rows)));
        }
        text
    });
    texts.collect::<Vec<_>>().join("\n")
}

fn entry(node: &Value) -> String {
    let hints = node.get("hints").map(table::hints).unwrap_or_default();
    let doc = node.get("doc").and_then(Value::as_str).unwrap_or_default();
    let is_config = |field: &&Value| field.get("config").is_some_and(Value::is_object);
    let inputs = tools::entries(node, "inputs");
    let ports = inputs.iter().filter(|field| !is_config(field)).map(port).collect();
    let config = inputs.iter().filter(is_config).map(config).collect();
    let outputs =
        tools::entries(node, "outputs").iter().map(|port| Line { default: String::new(), ..self::port(port) });
    let errors = tools::entries(node, "errors").iter().map(error).collect();
    table::entry(
        full_name(node),
        &hints,
        doc,
        &[("input", ports), ("config", config), ("output", outputs.collect()), ("error", errors)],
    )
}

/// A table a resource and a prompt.
fn offers(document: &Value) -> impl Iterator<Item = String> {
    let contract = document.get("contract").unwrap_or(document);
    [("resources", "variable"), ("prompts", "argument")].into_iter().flat_map(move |(list, argument)| {
        tools::entries(contract, list).iter().map(move |offer| {
            let word = |key: &str| offer.get(key).and_then(Value::as_str).unwrap_or_default();
            let uri = word("uri");
            let what = if uri.is_empty() { "prompt".to_owned() } else { format!("resource, {}", printable(uri)) };
            let arguments = tools::entries(offer, "arguments").iter().map(|argument| {
                let is = |key: &str, value: Value| argument.get(key) == Some(&value);
                let mut words = Vec::new();
                words.extend(is("optional", true.into()).then_some("optional"));
                words.extend((!is("completion", Value::Null)).then_some("completed"));
                Line {
                    name: tools::name(argument).to_owned(),
                    ty: words.join(", "),
                    default: String::new(),
                    doc: argument.get("doc").and_then(Value::as_str).unwrap_or_default().to_owned(),
                }
            });
            let errors = tools::entries(offer, "errors").iter().map(error).collect();
            table::entry(
                full_name(offer),
                &[what.as_str()],
                word("doc"),
                &[(argument, arguments.collect()), ("error", errors)],
            )
        })
    })
}

fn config(input: &Value) -> Line {
    let line = input.get("config").map(field);
    let Line { name, doc, .. } = port(input);
    match line {
        Some(Line { ty, default, .. }) => Line { name, ty, default, doc },
        None => port(input),
    }
}

fn error(kind: &Value) -> Line {
    let retryable = kind.get("retryable") == Some(&Value::Bool(true));
    Line {
        name: tools::name(kind).to_owned(),
        ty: if retryable { "retryable".to_owned() } else { String::new() },
        default: String::new(),
        doc: kind.get("doc").and_then(Value::as_str).unwrap_or_default().to_owned(),
    }
}
