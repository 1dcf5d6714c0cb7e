//! Text that fits the terminal: a heading, a paragraph and one table an entry.

use std::collections::BTreeMap;

use comfy_table::presets::NOTHING;
use comfy_table::{Attribute, Cell, ColumnConstraint, ContentArrangement, Table, Width};
use console::style;
use serde_json::Value;

use super::words;
use crate::output::{self, printable};
use crate::tools::name;

/// One row: an argument or an output.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// Its name.
    pub(crate) name: String,
    /// Its type in words.
    pub(crate) ty: String,
    /// Its default, or `required`, or `optional`.
    pub(crate) default: String,
    /// What it is.
    pub(crate) doc: String,
}

/// Rows under a title of their own.
pub(crate) type Section = (&'static str, Vec<Line>);

/// Tools as text; `outputs` are those that a manifest tells.
pub(crate) fn tools(tools: &[Value], outputs: &BTreeMap<String, Vec<Line>>) -> String {
    if tools.is_empty() {
        return "no tools".to_owned();
    }
    let texts = tools.iter().map(|tool| {
        let mut hints = tool.get("annotations").map(hints).unwrap_or_default();
        if tool.pointer("/_meta/nodecast~1unstable") == Some(&Value::Bool(true)) {
            hints.push("unstable");
        }
        let arguments = properties(tool.get("inputSchema"), true);
        let outputs = match outputs.get(name(tool)) {
            Some(lines) => lines.clone(),
            None => properties(tool.get("outputSchema"), false),
        };
        let description = tool.get("description").and_then(Value::as_str).unwrap_or_default();
        entry(name(tool), &hints, description, &[("argument", arguments), ("output", outputs)])
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// One entry as text.
pub(crate) fn entry(name: &str, hints: &[&str], description: &str, sections: &[Section]) -> String {
    let mut text = titled(name, hints, description);
    if sections.iter().any(|(_, lines)| !lines.is_empty()) {
        text.push('\n');
        text.push_str(&indented(&table(sections)));
    } else {
        text.push_str(&indented(&style("no arguments").dim().to_string()));
    }
    text
}

/// A name with what it says of itself, and rows below it where there are some.
pub(crate) fn titled_rows(name: &str, description: &str, section: Section) -> String {
    let text = titled(name, &[], description);
    if section.1.is_empty() { text } else { format!("{text}\n{}", indented(&table(&[section]))) }
}

fn titled(name: &str, hints: &[&str], description: &str) -> String {
    let mut text = format!("{}  {}", style(printable(name)).bold().cyan(), style(hints.join(", ")).dim());
    text.truncate(text.trim_end().len());
    text.push('\n');
    let description = printable(description.trim());
    if !description.is_empty() {
        text.push_str(&indented(&paragraphs(&description)));
    }
    text
}

/// What stands beside a name has so many columns at least.
const LEAST_BESIDE: usize = 30;

/// Names and what they are, side by side, or one below the other where the names leave too little room. A name is never
/// broken: it is there to be copied.
pub(crate) fn pairs(rows: impl Iterator<Item = (String, String)>) -> String {
    pairs_within(usize::from(output::width()), rows)
}

fn pairs_within(width: usize, rows: impl Iterator<Item = (String, String)>) -> String {
    let rows: Vec<_> = rows.map(|(name, what)| (printable(&name), printable(&what))).collect();
    let longest = rows.iter().map(|(name, _)| console::measure_text_width(name)).max().unwrap_or_default();
    if longest + LEAST_BESIDE > width {
        let bold = |name: &str| style(name.to_owned()).bold();
        return rows
            .iter()
            .map(|(name, what)| match what.as_str() {
                "" => format!("{}\n", bold(name)),
                what => format!("{}\n{}", bold(name), indented(&paragraphs(what))),
            })
            .collect();
    }
    let mut table = plain();
    for (name, what) in rows {
        table.add_row([Cell::new(name).add_attribute(Attribute::Bold), Cell::new(what)]);
    }
    tight(&mut table);
    if let Some(names) = table.column_mut(0) {
        names.set_constraint(ColumnConstraint::ContentWidth);
    }
    lines(&table)
}

/// The first line of a description.
pub(crate) fn first_line(text: &str) -> &str {
    text.trim().lines().next().unwrap_or_default()
}

/// Declared hints, in words; the same in a manifest and in MCP's annotations, but for the spelling.
pub(crate) fn hints(declared: &Value) -> Vec<&'static str> {
    let is = |names: [&str; 2], value: bool| names.iter().any(|name| declared.get(name) == Some(&Value::Bool(value)));
    let all = [
        (["readOnlyHint", "read_only"], true, "read-only"),
        (["destructiveHint", "destructive"], true, "destructive"),
        (["destructiveHint", "destructive"], false, "not destructive"),
        (["idempotentHint", "idempotent"], true, "idempotent"),
        (["openWorldHint", "open_world"], true, "open world"),
    ];
    all.into_iter().filter(|(names, value, _)| is(*names, *value)).map(|(.., word)| word).collect()
}

/// Fields within fields are shown so deep; what is deeper has its words alone.
const DEEPEST: usize = 3;

/// The members of an object schema, and what is in them.
pub(crate) fn properties(schema: Option<&Value>, is_input: bool) -> Vec<Line> {
    // What is recursive keeps its name; everything else is shown where it stands.
    schema.map(nodecast::schema::inline).map(|schema| fields(&schema, is_input, 0)).unwrap_or_default()
}

/// A line, and below it the fields of the object that it is, or that it is a list of.
pub(crate) fn with_fields(line: Line, schema: &Value, is_input: bool) -> Vec<Line> {
    std::iter::once(line).chain(inner(schema, is_input, 1)).collect()
}

fn inner(schema: &Value, is_input: bool, depth: usize) -> Vec<Line> {
    match words::object_in(schema) {
        Some(object) if depth <= DEEPEST => fields(object, is_input, depth),
        _ => Vec::new(),
    }
}

fn fields(object: &Value, is_input: bool, depth: usize) -> Vec<Line> {
    let required = object.get("required").and_then(Value::as_array);
    let is_required = |name: &str| required.is_some_and(|names| names.iter().any(|required| required == name));
    let properties = object.get("properties").and_then(Value::as_object);
    let lines = properties.into_iter().flatten().flat_map(|(name, schema)| {
        let line = Line {
            name: if depth == 0 { name.clone() } else { format!("{}.{name}", "  ".repeat(depth)) },
            ty: words::of(schema),
            default: match schema.get("default") {
                _ if !is_input => String::new(),
                Some(default) => words::scalar(default),
                None if is_required(name) => "required".to_owned(),
                None => "optional".to_owned(),
            },
            doc: schema.get("description").and_then(Value::as_str).unwrap_or_default().to_owned(),
        };
        std::iter::once(line).chain(inner(schema, is_input, depth + 1)).collect::<Vec<_>>()
    });
    lines.collect()
}

fn table(sections: &[Section]) -> String {
    let mut table = plain();
    for (i, (title, lines)) in sections.iter().filter(|(_, lines)| !lines.is_empty()).enumerate() {
        if i > 0 {
            table.add_row([""]);
        }
        table.add_row(heading(title, lines.iter().any(|line| !line.default.is_empty())));
        for line in lines {
            table.add_row(row(line));
        }
    }
    tight(&mut table);
    lines(&table)
}

fn heading(title: &str, with_default: bool) -> Vec<Cell> {
    let default = if with_default { "default" } else { "" };
    [title, "type", default, ""].into_iter().map(|word| Cell::new(word).add_attribute(Attribute::Dim)).collect()
}

fn row(line: &Line) -> Vec<Cell> {
    let default = Cell::new(printable(&line.default));
    let default = match line.default.as_str() {
        "required" => default.add_attribute(Attribute::Bold),
        "optional" => default.add_attribute(Attribute::Dim),
        _ => default,
    };
    vec![
        Cell::new(printable(&line.name)).add_attribute(Attribute::Bold),
        Cell::new(printable(&line.ty)),
        default,
        Cell::new(printable(&line.doc)),
    ]
}

fn plain() -> Table {
    let mut table = Table::new();
    table.load_style(NOTHING);
    table.set_content_arrangement(ContentArrangement::Dynamic).set_width(output::width().saturating_sub(2));
    if console::colors_enabled() {
        table.enforce_styling();
    } else {
        table.force_no_tty();
    }
    table
}

/// Columns two apart, the last as wide as is left.
fn tight(table: &mut Table) {
    let last = table.column_count().saturating_sub(1);
    for (i, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, if i == last { 0 } else { 2 }));
        if i < last {
            column.set_constraint(ColumnConstraint::UpperBoundary(Width::Percentage(35)));
        }
    }
}

fn lines(table: &Table) -> String {
    let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned()).collect();
    lines.join("\n") + "\n"
}

/// Text, wrapped.
pub(crate) fn paragraphs(text: &str) -> String {
    let mut table = plain();
    for line in text.lines() {
        table.add_row([line]);
    }
    tight(&mut table);
    lines(&table)
}

/// Text, two columns in.
pub(crate) fn indented(text: &str) -> String {
    text.lines().map(|line| if line.is_empty() { "\n".to_owned() } else { format!("  {line}\n") }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_never_broken() {
        // The longest that a tool may have.
        let name = "x".repeat(64);
        let rows =
            || [(name.clone(), "What it does, in so many words.".to_owned()), ("short".to_owned(), String::new())];
        for width in [40, 80, 100, 200] {
            let text = pairs_within(width, rows().into_iter());
            assert!(text.lines().any(|line| line.starts_with(&name)), "{width}: {text}");
            assert!(text.lines().any(|line| line == "short"), "{width}: {text}");
            assert!(text.contains("What it does"), "{width}: {text}");
        }
    }
}
