//! Settings of nodesets as text: what can be set, by which name, and what holds otherwise.

use serde_json::Value;

use super::table::{self, Line};
use crate::tools;

/// One table a nodeset.
pub(crate) fn text(printed: &Value) -> String {
    let texts = tools::documents(printed, "variables").into_iter().map(|nodeset| {
        let word = |key: &str| nodeset.get(key).and_then(Value::as_str).unwrap_or_default();
        let schema = nodeset.get("schema").filter(|schema| !schema.is_null());
        let lines: Vec<Line> =
            table::properties(schema, true).into_iter().map(|line| shown(line, schema, word("variables"))).collect();
        let says = match (lines.is_empty(), schema) {
            (true, _) => "No settings.",
            (false, schema) => schema.and_then(|schema| schema.get("description")?.as_str()).unwrap_or_default(),
        };
        table::titled_rows(word("nodeset"), says, ("setting", lines))
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// A line with the variable that sets it, and without what a secret is by default.
fn shown(mut line: Line, schema: Option<&Value>, variables: &str) -> Line {
    if line.name.starts_with(' ') {
        // A part of the setting above it.
        return line;
    }
    let own = schema.and_then(|schema| schema.get("properties")?.get(&line.name));
    if own.and_then(|own| own.get("writeOnly")) == Some(&Value::Bool(true)) {
        line.ty = format!("secret {}", line.ty);
    }
    let variable = format!("{variables}{}", line.name.to_ascii_uppercase());
    line.doc = if line.doc.is_empty() { variable } else { format!("{} ({variable})", line.doc.trim()) };
    line
}
