//! Rows for the keywords of two schemas: types, values, bounds, forms, and what they say in words.

use serde_json::{Map, Value as Json};

use super::super::rules::{self, Rule};
use super::super::subset::{Relation, Term, is_in, relation};
use super::super::{list, shown, text};
use super::Walk;
use crate::schema::is_words;

/// Keywords that are judged together, and the rule of their rows.
const GROUPS: [(&[&str], Rule); 5] = [
    (&["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"], rules::RANGE_CHANGED),
    (&["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"], rules::LENGTH_CHANGED),
    (&["pattern", "format"], rules::FORM_CHANGED),
    (&["contentEncoding", "contentMediaType"], rules::READING_CHANGED),
    (&["uniqueItems"], rules::UNIQUE_CHANGED),
];

/// Keywords that have rows of their own.
const KNOWN: [&str; 12] = [
    "type",
    "enum",
    "const",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "prefixItems",
    "$ref",
    "anyOf",
    "oneOf",
    "$defs",
];

impl Walk<'_> {
    /// Rows for what two schemas say in words.
    pub(super) fn words(&mut self, old: &Term<'_>, new: &Term<'_>, at: &str) {
        let (old, new) = (old.json(), new.json());
        for (key, rule) in [
            ("description", rules::DOC_CHANGED),
            ("title", rules::TITLE_CHANGED),
            ("examples", rules::DOC_CHANGED),
            ("x-mcp-header", rules::HEADER_CHANGED),
        ] {
            let (old, new) = (old.get(key), new.get(key));
            if old != new {
                self.changes.add(rule, at, format!("{key}: {} → {}", shown(old), shown(new)));
            }
        }
        let is_deprecated = |schema: &Json| schema.get("deprecated") == Some(&Json::Bool(true));
        match (is_deprecated(old), is_deprecated(new)) {
            (false, true) => self.changes.add(rules::DEPRECATED, at, "it is deprecated".to_owned()),
            (true, false) => self.changes.add(rules::DEPRECATION_LIFTED, at, "it is no longer deprecated".to_owned()),
            _ => {}
        }
    }

    /// Rows for the keywords of two schemas but those of parts.
    pub(super) fn keywords(&mut self, old: &Term<'_>, new: &Term<'_>, at: &str) {
        if self.types(old, new, at) {
            return;
        }
        self.values(old, new, at);
        for (keys, rule) in GROUPS {
            // What is the same before and after is not worth a word.
            let said = |term: &Term<'_>| -> Vec<String> {
                let changed = keys.iter().filter(|key| old.json().get(**key) != new.json().get(**key));
                changed.filter_map(|key| Some(format!("{key} {}", term.json().get(*key)?))).collect()
            };
            let (was, is) = (said(old), said(new));
            if was == is {
                continue;
            }
            let relation = relation(&only(old, keys), &only(new, keys));
            // The same range in other words, such as above 0 and from 1 for whole numbers.
            if relation != Relation::Same {
                let words = |said: Vec<String>| if said.is_empty() { "any".to_owned() } else { said.join(", ") };
                self.changes.judged(rule, at, self.side, relation, format!("{} → {}", words(was), words(is)));
            }
        }
        let is_other = |key: &&String| {
            !is_words(key)
                && !KNOWN.contains(&key.as_str())
                && !GROUPS.iter().any(|(keys, _)| keys.contains(&key.as_str()))
        };
        let others = |term: &Term<'_>| -> Map<String, Json> {
            let members = term.json().as_object().into_iter().flatten();
            members.filter(|(key, _)| is_other(key)).map(|(key, member)| (key.clone(), member.clone())).collect()
        };
        let (was, is) = (Json::Object(others(old)), Json::Object(others(new)));
        if was != is {
            let relation = relation(&old.made(was.clone()), &new.made(is.clone()));
            if relation != Relation::Same {
                let message = format!("{} → {}", shown(Some(&was)), shown(Some(&is)));
                self.changes.judged(rules::SCHEMA_CHANGED, at, self.side, relation, message);
            }
        }
    }

    /// Rows for the types; says whether they have nothing in common, so that the rest needs no rows.
    fn types(&mut self, old: &Term<'_>, new: &Term<'_>, at: &str) -> bool {
        let (mut was, mut is) = (types(old.json()), types(new.json()));
        if was == is {
            return false;
        }
        let null = |types: &mut Vec<String>| {
            let before = types.len();
            types.retain(|ty| ty != "null");
            types.len() < before && !types.is_empty()
        };
        match (null(&mut was), null(&mut is)) {
            (false, true) => {
                self.changes.judged(
                    rules::NULL_ALLOWED,
                    at,
                    self.side,
                    Relation::Wider,
                    "it may be null now".to_owned(),
                );
            }
            (true, false) => {
                let message = "it may not be null any more".to_owned();
                self.changes.judged(rules::NULL_REFUSED, at, self.side, Relation::Narrower, message);
            }
            _ => {}
        }
        if was == is {
            return false;
        }
        let of = |types: &[String]| {
            if types.is_empty() { Json::Bool(true) } else { serde_json::json!({ "type": types }) }
        };
        let relation = relation(&old.made(of(&was)), &new.made(of(&is)));
        let words = |types: &[String]| if types.is_empty() { "any".to_owned() } else { types.join(" or ") };
        if relation == Relation::Same {
            return false;
        }
        let message = format!("{} → {}", words(&was), words(&is));
        self.changes.judged(rules::TYPE_CHANGED, at, self.side, relation, message);
        relation == Relation::Other
    }

    /// Rows for listed values.
    fn values(&mut self, old: &Term<'_>, new: &Term<'_>, at: &str) {
        let listed = |schema: &Json| -> Option<Vec<Json>> {
            match schema.get("const") {
                Some(constant) => Some(vec![constant.clone()]),
                None => schema.get("enum").map(|_| list(schema, "enum").to_vec()),
            }
        };
        let (was, is) = (listed(old.json()), listed(new.json()));
        let all = |values: &[Json]| values.iter().map(|value| format!("`{value}`")).collect::<Vec<_>>().join(", ");
        match (was, is) {
            (Some(was), Some(is)) => {
                let gone: Vec<Json> = was.iter().filter(|value| !is.contains(value)).cloned().collect();
                let added: Vec<Json> = is.iter().filter(|value| !was.contains(value)).cloned().collect();
                if !gone.is_empty() {
                    let message = format!("{} is no longer among the values", all(&gone));
                    self.changes.judged(rules::VALUE_REMOVED, at, self.side, Relation::Narrower, message);
                }
                if !added.is_empty() {
                    let message = format!("{} is among the values now", all(&added));
                    self.changes.judged(rules::VALUE_ADDED, at, self.side, Relation::Wider, message);
                }
            }
            (Some(was), None) => {
                let relation = if is_in(old, new) { Relation::Wider } else { Relation::Other };
                let message = format!("any value, not only {}", all(&was));
                self.changes.judged(rules::VALUE_ADDED, at, self.side, relation, message);
            }
            (None, Some(is)) => {
                let relation = if is_in(new, old) { Relation::Narrower } else { Relation::Other };
                let message = format!("only {}, not any value", all(&is));
                self.changes.judged(rules::VALUE_REMOVED, at, self.side, relation, message);
            }
            (None, None) => {}
        }
    }
}

/// The types that a schema names; none for any.
fn types(schema: &Json) -> Vec<String> {
    let mut types: Vec<String> = match schema.get("type") {
        Some(Json::Array(_)) => list(schema, "type").iter().filter_map(Json::as_str).map(str::to_owned).collect(),
        _ => Some(text(schema, "type")).filter(|ty| !ty.is_empty()).map(str::to_owned).into_iter().collect(),
    };
    types.sort();
    types
}

/// What these keywords alone say, for the types of the schema.
fn only<'a>(term: &Term<'a>, keys: &[&str]) -> Term<'a> {
    let members = term.json().as_object().into_iter().flatten();
    let kept = members.filter(|(key, _)| key.as_str() == "type" || keys.contains(&key.as_str()));
    term.made(kept.map(|(key, member)| (key.clone(), member.clone())).collect::<Map<_, _>>().into())
}
