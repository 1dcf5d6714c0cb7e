//! Two schemas side by side: a row for each place where they differ.

mod rows;
mod unions;

use std::collections::BTreeSet;

use serde_json::{Map, Value as Json, json};

use super::rename::{self, Renamed};
use super::rules::{self, Side};
use super::subset::{Relation, Term, is_in, is_same, relation};
use super::{Changes, Verdict};
use crate::call::escape;

/// Rows for two documents of a node, an argument or a resource. What is decided is decided about the whole.
pub(super) fn documents(old: &Json, new: &Json, side: Side, at: &str, changes: &mut Changes) {
    if old == new {
        return;
    }
    let (old, new) = (Term::document(old), Term::document(new));
    let first = changes.rows.len();
    Walk { side, seen: BTreeSet::new(), changes: &mut *changes }.pair(&old, &new, at);
    let fits = match side {
        Side::Input => is_in(&old, &new),
        Side::Output => is_in(&new, &old),
    };
    let rows = changes.rows.get_mut(first..).unwrap_or_default();
    let breaks = rows.iter().any(|row| row.verdict == Verdict::Breaking);
    if fits && breaks {
        // Each place for itself would break, but not all of them together: a field that moved to where both are read.
        for row in rows.iter_mut().filter(|row| row.verdict == Verdict::Breaking && row.side == Some(side)) {
            row.verdict = Verdict::Compatible;
            "with the other changes, every value fits as before".clone_into(&mut row.why);
        }
    } else if !fits && !breaks {
        let message = "the schema as a whole is another".to_owned();
        changes.judged(rules::SCHEMA_CHANGED, at, side, relation(&old, &new), message);
    }
}

/// A walk through two schemas at once.
struct Walk<'c> {
    side: Side,
    /// Pairs of references that were followed.
    seen: BTreeSet<(String, String)>,
    changes: &'c mut Changes,
}

impl Walk<'_> {
    /// Rows for two schemas at one place.
    fn pair(&mut self, old: &Term<'_>, new: &Term<'_>, at: &str) {
        let reference = |term: &Term<'_>| super::text(term.json(), "$ref").to_owned();
        let references = (reference(old), reference(new));
        if references != (String::new(), String::new()) && !self.seen.insert(references) {
            return;
        }
        let (old, new) = (plain(old), plain(new));
        self.words(&old, &new, at);
        if unions::has_union(&old) || unions::has_union(&new) {
            return self.union(&old, &new, at);
        }
        self.keywords(&old, &new, at);
        self.properties(&old, &new, at);
        self.items(&old, &new, at);
    }

    /// Rows for the fields of two objects.
    fn properties(&mut self, old: &Term<'_>, new: &Term<'_>, at: &str) {
        let (olds, news) = (names(old), names(new));
        if olds.is_empty() && news.is_empty() {
            return self.rest(old, new, at);
        }
        let removed: Vec<_> = olds.iter().filter(|name| !news.contains(name)).collect();
        let added: Vec<_> = news.iter().filter(|name| !olds.contains(name)).collect();
        let renamed = rename::pairs(&removed, &added, |old_name, new_name| {
            let (a, b) = (field(old, old_name), field(new, new_name));
            a.zip(b).is_some_and(|(a, b)| is_same(&a, &b)) && is_required(old, old_name) == is_required(new, new_name)
        });
        for Renamed { old: from, new: to } in &renamed {
            let place = format!("{at}/{}", escape(to));
            let message = format!("`{from}` is called `{to}`");
            self.changes.judged(rules::FIELD_RENAMED, &place, self.side, Relation::Other, message);
        }
        for name in removed.iter().filter(|name| !renamed.iter().any(|pair| pair.old == ***name)) {
            let relation = relation(&alone(old, name), &alone(new, name));
            let place = format!("{at}/{}", escape(name));
            self.changes.judged(rules::FIELD_REMOVED, &place, self.side, relation, format!("`{name}` is gone"));
        }
        for name in added.iter().filter(|name| !renamed.iter().any(|pair| pair.new == ***name)) {
            let relation = relation(&alone(old, name), &alone(new, name));
            let must = if is_required(new, name) { "required" } else { "optional" };
            let message = match self.side {
                Side::Input => format!("`{name}` is new, and {must}"),
                Side::Output => format!("`{name}` is new"),
            };
            self.changes.judged(rules::FIELD_ADDED, &format!("{at}/{}", escape(name)), self.side, relation, message);
        }
        for name in olds.iter().filter(|name| news.contains(name)) {
            let place = format!("{at}/{}", escape(name));
            match (is_required(old, name), is_required(new, name)) {
                (false, true) => {
                    let message = match self.side {
                        Side::Input => format!("`{name}` is required now"),
                        Side::Output => format!("`{name}` is always there now"),
                    };
                    self.changes.judged(rules::FIELD_REQUIRED, &place, self.side, Relation::Narrower, message);
                }
                (true, false) => {
                    let message = match self.side {
                        Side::Input => format!("`{name}` may be left out now"),
                        Side::Output => format!("`{name}` may be missing now"),
                    };
                    self.changes.judged(rules::FIELD_OPTIONAL, &place, self.side, Relation::Wider, message);
                }
                _ => {}
            }
            if let (Some(old_field), Some(new_field)) = (field(old, name), field(new, name)) {
                // Nobody leaves out what is required.
                if !is_required(old, name) && !is_required(new, name) {
                    self.default(&old_field, &new_field, &place);
                }
                self.pair(&old_field, &new_field, &place);
            }
        }
        self.rest(old, new, at);
    }

    /// A row for the value that a field has when it is left out.
    fn default(&mut self, old: &Term<'_>, new: &Term<'_>, at: &str) {
        let (old, new) = (plain(old), plain(new));
        let (old, new) = (old.json().get("default"), new.json().get("default"));
        if old != new && self.side == Side::Input {
            let message = format!("default: {} → {}", super::shown(old), super::shown(new));
            self.changes.add(rules::DEFAULT_CHANGED, at, message);
        }
    }

    /// Rows for what stands beside the named fields.
    fn rest(&mut self, old: &Term<'_>, new: &Term<'_>, at: &str) {
        let (old, new) = (old.made(of_rest(old)), new.made(of_rest(new)));
        if old.json().is_object() && new.json().is_object() {
            return self.pair(&old, &new, &format!("{at}/*"));
        }
        if !is_same(&old, &new) {
            let message = format!("other fields: {} → {}", rest_words(old.json()), rest_words(new.json()));
            self.changes.judged(rules::OTHER_FIELDS, at, self.side, relation(&old, &new), message);
        }
    }

    /// Rows for the items of two lists.
    fn items(&mut self, old: &Term<'_>, new: &Term<'_>, at: &str) {
        let first = |term: &Term<'_>| super::list(term.json(), "prefixItems").len();
        for index in 0..first(old).max(first(new)) {
            let item = |term: &Term<'_>| -> Json {
                let item = term.json().pointer(&format!("/prefixItems/{index}")).or_else(|| term.json().get("items"));
                item.cloned().unwrap_or(Json::Bool(true))
            };
            self.pair(&old.made(item(old)), &new.made(item(new)), &format!("{at}/{index}"));
        }
        match (old.json().get("items"), new.json().get("items")) {
            (Some(a), Some(b)) => self.pair(&old.made(a.clone()), &new.made(b.clone()), &format!("{at}/*")),
            (None, None) => {}
            (a, b) => {
                let anything = |rest: Option<&Json>| rest.cloned().unwrap_or(Json::Bool(true));
                let (a, b) = (old.made(anything(a)), new.made(anything(b)));
                let message = format!("items: {} → {}", rest_words(a.json()), rest_words(b.json()));
                self.changes.judged(rules::SCHEMA_CHANGED, &format!("{at}/*"), self.side, relation(&a, &b), message);
            }
        }
    }
}

/// A schema with the references at its head in place; what it says of itself stands before what they lead to.
fn plain<'a>(term: &Term<'a>) -> Term<'a> {
    let mut term = term.clone();
    for _ in 0..8 {
        let Some(target) = term.json().get("$ref").and_then(Json::as_str).and_then(|reference| term.target(reference))
        else {
            break;
        };
        let (Json::Object(own), Json::Object(base)) = (term.json(), target.json()) else { return target };
        let mut merged: Map<String, Json> = own.clone();
        merged.remove("$ref");
        for (key, member) in base {
            merged.entry(key).or_insert_with(|| member.clone());
        }
        term = target.made(Json::Object(merged));
    }
    term
}

fn names(term: &Term<'_>) -> Vec<String> {
    let properties = term.json().get("properties").and_then(Json::as_object);
    properties.into_iter().flat_map(Map::keys).cloned().collect()
}

fn field<'a>(term: &Term<'a>, name: &str) -> Option<Term<'a>> {
    term.child(|schema| schema.get("properties")?.get(name))
}

fn is_required(term: &Term<'_>, name: &str) -> bool {
    super::list(term.json(), "required").iter().any(|required| required == name)
}

/// What an object says of one field, and nothing else.
fn alone<'a>(term: &Term<'a>, name: &str) -> Term<'a> {
    let rest = of_rest(term);
    let schema = term.json().get("properties").and_then(|properties| properties.get(name)).cloned().unwrap_or(rest);
    let required: &[&str] = if is_required(term, name) { &[name] } else { &[] };
    term.made(json!({"type": "object", "properties": {name: schema}, "required": required}))
}

/// What an object says of the fields that it does not name.
fn of_rest(term: &Term<'_>) -> Json {
    term.json().get("additionalProperties").cloned().unwrap_or(Json::Bool(true))
}

fn rest_words(schema: &Json) -> String {
    match schema {
        Json::Bool(true) => "any".to_owned(),
        Json::Bool(false) => "none".to_owned(),
        schema => super::shown(Some(schema)),
    }
}
