//! What changed between two contract documents, and what that means: one row a change, each with a verdict
//! (`contract.md` 4).
//!
//! Pure over the two documents. Rows say what a reader looks for; whether values still fit is decided by
//! [`subset`], whose proof a row never outweighs: where rows and proof disagree, the proof wins.

mod facts;
mod memory;
mod nodes;
mod offers;
mod rename;
mod rules;
mod schema;
mod subset;
#[cfg(test)]
mod tests;

use serde_json::Value as Json;

pub use rules::{Class, Judgement, RULES, Rule, Side, Verdict};

/// One change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The rule that judged it.
    pub rule: Rule,
    /// What it means.
    pub verdict: Verdict,
    /// Full name of the node, the resource or the prompt; for what is of the whole, the nodeset's.
    pub subject: String,
    /// Where in it: a JSON pointer to the value, `*` for any item or name.
    pub pointer: String,
    /// Which way the value flows, where it is about one.
    pub side: Option<Side>,
    /// What was and what is, in a sentence without a full stop.
    pub message: String,
    /// Why the verdict is what it is.
    pub why: String,
}

/// What of a change the two documents do not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Promises {
    /// Whether what was deprecated for a minor version or more may be removed.
    pub removes_deprecated: bool,
}

/// All changes from one contract document to another, the worst first, else in the order of the newer document.
pub fn diff(old: &Json, new: &Json, promises: Promises) -> Vec<Change> {
    let mut changes = Changes::default();
    let nothing = Json::Null;
    let part = |document| Json::get(document, "contract").unwrap_or(&nothing);
    if part(old) == part(new) {
        facts::profiles(old, new, &mut changes);
        return changes.rows;
    }
    let version = new.get("version").and_then(Json::as_str).unwrap_or_default();
    facts::nodeset(part(old), part(new), &mut changes);
    let removal = nodes::Removal { version, promises };
    nodes::nodes(part(old), part(new), &removal, &mut changes);
    offers::offers(part(old), part(new), &removal, &mut changes);
    facts::unknown(part(old), part(new), &mut changes);
    if changes.rows.is_empty() {
        facts::profiles(old, new, &mut changes);
    }
    let mut rows = changes.rows;
    rows.sort_by_key(|change| std::cmp::Reverse(change.verdict));
    rows
}

/// The worst verdict of all; `None` if nothing changed.
pub fn worst(changes: &[Change]) -> Option<Verdict> {
    changes.iter().map(|change| change.verdict).max()
}

/// Rows in the making.
#[derive(Debug, Default)]
struct Changes {
    rows: Vec<Change>,
    /// What the next rows are about.
    subject: String,
}

impl Changes {
    /// Begins with another subject.
    fn about(&mut self, subject: &str) {
        subject.clone_into(&mut self.subject);
    }

    /// A row of a rule that always judges the same.
    fn add(&mut self, rule: Rule, pointer: &str, message: String) {
        let Judgement::Always(verdict) = rule.judgement else { return };
        self.push(rule, pointer, None, message, (verdict, rule.why));
    }

    /// A row of a rule that judges by values.
    fn judged(&mut self, rule: Rule, pointer: &str, side: Side, relation: subset::Relation, message: String) {
        self.push(rule, pointer, Some(side), message, side.verdict(relation));
    }

    fn push(&mut self, rule: Rule, pointer: &str, side: Option<Side>, message: String, judged: (Verdict, &str)) {
        let is_said = |row: &Change| {
            row.rule == rule
                && row.subject == self.subject
                && row.pointer == pointer
                && (row.side == side || side.is_none())
        };
        if rules::SAID_TWICE.contains(&rule) && self.rows.iter().any(is_said) {
            return;
        }
        self.rows.push(Change {
            rule,
            verdict: judged.0,
            subject: self.subject.clone(),
            pointer: pointer.to_owned(),
            side,
            message,
            why: judged.1.to_owned(),
        });
    }
}

/// The text under a key; empty where there is none.
fn text<'a>(object: &'a Json, key: &str) -> &'a str {
    object.get(key).and_then(Json::as_str).unwrap_or_default()
}

/// The list under a key; empty where there is none.
fn list<'a>(object: &'a Json, key: &str) -> &'a [Json] {
    object.get(key).and_then(Json::as_array).map_or(&[], Vec::as_slice)
}

/// A value in a sentence: short, whatever it is.
fn shown(value: Option<&Json>) -> String {
    const MOST: usize = 60;
    let Some(value) = value else { return "nothing".to_owned() };
    let text = value.to_string();
    if text.chars().count() <= MOST {
        return format!("`{text}`");
    }
    let head: String = text.chars().take(MOST).collect();
    format!("`{head}…`")
}
