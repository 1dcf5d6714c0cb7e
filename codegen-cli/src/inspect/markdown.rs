//! What a target publishes as Markdown: a section a tool, with tables of its arguments and outputs, for a page or a
//! comment. Other documents stand in a block of code.

use std::fmt::Write;

use serde_json::Value;

use super::contract;
use super::table::{Line, first_line, hints, properties};
use crate::cli::Projection;
use crate::tools;

/// A document of this projection.
pub(crate) fn of(projection: Projection, document: &Value) -> String {
    match projection {
        Projection::Mcp => {
            let all = tools::entries(document, "tools").iter().map(tool);
            all.collect::<Vec<_>>().join("\n")
        }
        Projection::Contract => page(document),
        _ => format!("```json\n{document:#}\n```\n"),
    }
}

/// The tools of a list, a row each.
pub(crate) fn names(tools: &[Value]) -> String {
    let mut text = "| tool | does |\n|---|---|\n".to_owned();
    for tool in tools {
        let description = tool.get("description").and_then(Value::as_str).unwrap_or_default();
        let _ = writeln!(text, "| `{}` | {} |", tools::name(tool), cell(first_line(description)));
    }
    text
}

/// A page on each nodeset of a contract: what it is, then its nodes with their errors, as the contract's default
/// profile publishes them.
pub(crate) fn page(printed: &Value) -> String {
    let pages = tools::documents(printed, "contract").into_iter().map(|document| {
        let word = |pointer: &str| document.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
        let title = Some(word("/contract/nodeset/title")).filter(|title| !title.is_empty());
        let mut text = format!("# {}\n\n", title.unwrap_or_else(|| word("/contract/nodeset/name")));
        for paragraph in ["/contract/nodeset/doc", "/contract/nodeset/instructions"] {
            if !word(paragraph).trim().is_empty() {
                let _ = writeln!(text, "{}\n", word(paragraph).trim());
            }
        }
        let _ = writeln!(text, "Version {}, contract `{}`.\n", word("/version"), word("/hash"));
        let published = document.pointer("/projections/inline/tools").and_then(Value::as_array);
        for tool in published.into_iter().flatten() {
            text.push_str(&self::tool(tool));
            text.push('\n');
            let node = contract::nodes(document).find(|node| contract::full_name(node) == tools::name(tool));
            text.push_str(&node.map(errors).unwrap_or_default());
        }
        text.trim_end().to_owned() + "\n"
    });
    pages.collect::<Vec<_>>().join("\n")
}

/// One tool.
fn tool(tool: &Value) -> String {
    let mut text = format!("## `{}`\n\n", tools::name(tool));
    let mut words = tool.get("annotations").map(hints).unwrap_or_default();
    if tool.pointer("/_meta/nodecast~1unstable") == Some(&Value::Bool(true)) {
        words.push("unstable");
    }
    if !words.is_empty() {
        let _ = writeln!(text, "*{}*\n", words.join(", "));
    }
    let description = tool.get("description").and_then(Value::as_str).unwrap_or_default().trim();
    if !description.is_empty() {
        let _ = writeln!(text, "{description}\n");
    }
    let arguments = properties(tool.get("inputSchema"), true);
    if arguments.is_empty() {
        text.push_str("No arguments.\n");
    } else {
        text.push_str("| argument | type | default | |\n|---|---|---|---|\n");
        text.extend(arguments.iter().map(|line| row(line, true)));
    }
    let outputs = properties(tool.get("outputSchema"), false);
    if !outputs.is_empty() {
        text.push_str("\n| output | type | |\n|---|---|---|\n");
        text.extend(outputs.iter().map(|line| row(line, false)));
    }
    text
}

fn errors(node: &Value) -> String {
    let kinds = tools::entries(node, "errors");
    if kinds.is_empty() {
        return String::new();
    }
    let mut text = "| error | a retry can help | |\n|---|---|---|\n".to_owned();
    for kind in kinds {
        let retryable = if kind.get("retryable") == Some(&Value::Bool(true)) { "yes" } else { "no" };
        let doc = kind.get("doc").and_then(Value::as_str).unwrap_or_default();
        let _ = writeln!(text, "| `{}` | {retryable} | {} |", tools::name(kind), cell(doc));
    }
    text + "\n"
}

fn row(line: &Line, with_default: bool) -> String {
    let Line { name, ty, default, doc } = line;
    let default = match default.as_str() {
        "required" | "optional" => default.clone(),
        value => format!("`{value}`"),
    };
    let middle = if with_default { format!(" {} |", cell(&default)) } else { String::new() };
    format!("| `{}` | {} |{middle} {} |\n", name.trim(), cell(ty), cell(doc))
}

/// Text as it may stand in a cell of a table: on one line, with nothing that ends it.
pub(crate) fn cell(text: &str) -> String {
    let text = crate::output::printable(text.trim()).replace('|', "\\|").replace('<', "&lt;");
    text.lines().map(str::trim).collect::<Vec<_>>().join("<br>")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{cell, of};
    use crate::cli::Projection;

    #[test]
    fn nothing_in_a_text_ends_a_cell() {
        assert_eq!(cell("a | b\n<script>"), "a \\| b<br>&lt;script>");
        let tool = json!({"name": "t", "description": "Does.", "inputSchema": {"type": "object", "properties":
            {"a": {"type": "integer", "minimum": 0, "maximum": 9, "default": 3, "description": "One."}}}});
        let text = of(Projection::Mcp, &json!({"tools": [tool]}));
        let lines = [
            "## `t`",
            "",
            "Does.",
            "",
            "| argument | type | default | |",
            "|---|---|---|---|",
            "| `a` | integer 0…9 | `3` | One. |",
        ];
        assert_eq!(text, lines.map(|line| format!("{line}\n")).concat());
    }
}
