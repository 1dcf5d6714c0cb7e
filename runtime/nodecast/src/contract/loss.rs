//! What a profile leaves out of a tool: each loss with its place, so that a reviewer and `lint` can see it.

use serde_json::{Map, Value as Json, json};

use super::Tool;

/// One thing that the contract says and a profile does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// Full name of the tool.
    pub tool: String,
    /// JSON pointer into the tool as the profile publishes it: where it is, or would be.
    pub pointer: String,
    /// A keyword, `null` or `array form`.
    pub lost: String,
}

impl Loss {
    /// Its form in the contract document.
    pub fn to_json(&self) -> Json {
        let Self { tool, pointer, lost } = self;
        json!({"tool": tool, "pointer": pointer, "lost": lost})
    }
}

/// Whether losses are noted: whoever publishes tools has no use for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Losses {
    Noted,
    Ignored,
}

/// What a profile leaves out of one tool, where that is noted.
#[derive(Debug)]
pub(super) struct Places {
    tool: String,
    noted: Option<Vec<Loss>>,
}

impl Places {
    /// None yet, of the tool of this name.
    pub(super) fn of(tool: &str, losses: Losses) -> Self {
        Self { tool: tool.to_owned(), noted: (losses == Losses::Noted).then(Vec::new) }
    }

    /// Notes that something was left out, and where.
    pub(super) fn note(&mut self, lost: &str, pointer: impl FnOnce() -> String) {
        if let Some(noted) = &mut self.noted {
            noted.push(Loss { tool: self.tool.clone(), pointer: pointer(), lost: lost.to_owned() });
        }
    }

    /// Notes what of `full` does not stand in `coarse`.
    pub(super) fn note_difference(&mut self, full: &Tool, coarse: &Tool) {
        if let Some(noted) = &mut self.noted {
            noted.extend(between(full, coarse));
        }
    }

    /// All that was noted.
    pub(super) fn into_losses(self) -> Vec<Loss> {
        self.noted.unwrap_or_default()
    }
}

/// What of `full` does not stand in `coarse`, down to the keywords of each argument.
fn between(full: &Tool, coarse: &Tool) -> Vec<Loss> {
    let (full_json, coarse_json) = (full.to_json(), coarse.to_json());
    let mut places = Vec::new();
    missing("", &full_json, &coarse_json, &["inputSchema"], &mut places);
    let input = |tool: &Json| tool.get("inputSchema").cloned().unwrap_or_default();
    let (full_input, coarse_input) = (input(&full_json), input(&coarse_json));
    missing("/inputSchema", &full_input, &coarse_input, &["properties"], &mut places);
    for (name, schema) in full.input_schema.get("properties").and_then(Json::as_object).into_iter().flatten() {
        let at = format!("/inputSchema/properties/{}", crate::call::escape(name));
        match coarse.input_schema.get("properties").and_then(|properties| properties.get(name)) {
            Some(coarse) => missing(&at, schema, coarse, &[], &mut places),
            None => places.push((at, name.clone())),
        }
    }
    places.into_iter().map(|(pointer, lost)| Loss { tool: full.name.clone(), pointer, lost }).collect()
}

/// The members of `full` that `coarse` lacks or has otherwise.
fn missing(at: &str, full: &Json, coarse: &Json, apart: &[&str], places: &mut Vec<(String, String)>) {
    let nothing = Map::new();
    for (key, member) in full.as_object().unwrap_or(&nothing) {
        let kept = coarse.get(key).is_some_and(|kept| same(kept, member));
        if !kept && !apart.contains(&key.as_str()) {
            places.push((format!("{at}/{}", crate::call::escape(key)), key.clone()));
        }
    }
}

/// Whether two members say the same; a number is the same with and without a point.
fn same(a: &Json, b: &Json) -> bool {
    match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => a.to_bits() == b.to_bits(),
        _ => a == b,
    }
}
