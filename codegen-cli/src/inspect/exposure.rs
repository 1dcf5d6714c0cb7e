//! What live applications expose, as text: their messages, and the names of their views.

use serde_json::Value;

use super::table;

/// What no table knows.
const RUN_TIME: &str =
    "names that `Exposure::builder` makes while the application runs are served, and are not known here";

/// A part a type that declares something.
pub(crate) fn text(document: &Value) -> String {
    let parts = |kind: &str| document.get(kind).and_then(Value::as_object).into_iter().flatten();
    let word = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let mut texts = Vec::new();
    for (name, messages) in parts("messages") {
        let messages = messages.as_array().into_iter().flatten();
        let rows = messages
            .map(|message| (word(message, "shape"), table::first_line(&word(message, "description")).to_owned()));
        texts.push(format!("messages of {name}\n{}", table::pairs(rows)));
    }
    for (name, view) in parts("exposures") {
        let names = |key: &str| {
            let all = view.get(key).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
            all.collect::<Vec<_>>().join(", ")
        };
        let rows = ["values", "nodes"].map(|key| (key.to_owned(), names(key)));
        texts.push(format!("names of {name}\n{}", table::pairs(rows.into_iter())));
    }
    if texts.is_empty() {
        texts.push("nothing is exposed".to_owned());
    }
    texts.push(RUN_TIME.to_owned());
    texts.join("\n")
}
