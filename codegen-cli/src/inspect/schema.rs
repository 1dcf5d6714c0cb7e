//! Input and output schemas as text.

use console::style;
use serde_json::{Map, Value};

use crate::output::printable;

/// Schemas as text: a heading a node, JSON below it.
pub(crate) fn text(printed: &Value) -> String {
    let texts = nodes(printed).map(|(name, schemas)| {
        let part = |title: &str, key: &str| {
            let schema = schemas.get(key).map(|schema| printable(&format!("{schema:#}"))).unwrap_or_default();
            format!("{} {schema}\n", style(title).dim())
        };
        format!("{}\n{}{}", style(printable(name)).bold().cyan(), part("input", "input"), part("output", "output"))
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// The nodes by their full names, of the one nodeset or of all.
pub(crate) fn nodes(printed: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let is_node = |value: &Value| value.get("input").is_some() && value.get("output").is_some();
    let members = printed.as_object().into_iter().flatten();
    members.flat_map(move |(name, value)| {
        if is_node(value) {
            return vec![(name.as_str(), value)];
        }
        let inner = value.as_object().into_iter().flat_map(Map::iter).filter(|(_, value)| is_node(value));
        inner.map(|(name, value)| (name.as_str(), value)).collect()
    })
}
