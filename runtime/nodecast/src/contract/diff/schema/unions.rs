//! Rows for alternatives: `anyOf` and `oneOf`, whose branches are matched by what they are, not by where they stand.

use serde_json::{Map, Value as Json};

use super::super::rules;
use super::super::subset::{Relation, Term, is_same, relation};
use super::super::{list, shown, text};
use super::{Walk, plain};

/// Whether a schema has alternatives.
pub(super) fn has_union(term: &Term<'_>) -> bool {
    ["anyOf", "oneOf"].iter().any(|key| term.json().get(*key).is_some())
}

impl Walk<'_> {
    /// Rows for two schemas of which one or both have alternatives.
    pub(super) fn union(&mut self, old: &Term<'_>, new: &Term<'_>, at: &str) {
        let (mut olds, mut news) = (branches(old), branches(new));
        let whole = relation(old, new);
        // The same but for words first, so that what is left is matched by its kind.
        olds.retain(|old| match news.iter().position(|new| is_same(old, new)) {
            Some(place) => {
                let new = news.remove(place);
                self.words(&plain(old), &plain(&new), at);
                self.parts_of_same(old, &new, at);
                false
            }
            None => true,
        });
        let mut pairs = Vec::new();
        olds.retain(|old| {
            let same_kind = news.iter().position(|new| kind(old) == kind(new));
            if let Some(place) = same_kind {
                pairs.push((old.clone(), news.remove(place)));
            }
            same_kind.is_none()
        });
        if whole == Relation::Same {
            return;
        }
        for (old, new) in &pairs {
            self.pair(old, new, at);
        }
        for old in &olds {
            let (rule, message) = if is_null(old) {
                (rules::NULL_REFUSED, "it may not be null any more".to_owned())
            } else {
                (rules::VARIANT_REMOVED, format!("{} is gone", name(old)))
            };
            let relation = if whole == Relation::Wider { Relation::Wider } else { Relation::Narrower };
            self.changes.judged(rule, at, self.side, relation, message);
        }
        for new in &news {
            let (rule, message) = if is_null(new) {
                (rules::NULL_ALLOWED, "it may be null now".to_owned())
            } else {
                (rules::VARIANT_ADDED, format!("{} is new", name(new)))
            };
            let relation = if whole == Relation::Narrower { Relation::Narrower } else { Relation::Wider };
            self.changes.judged(rule, at, self.side, relation, message);
        }
        if olds.is_empty() && news.is_empty() && pairs.is_empty() {
            let message = "the alternatives are combined in another way".to_owned();
            self.changes.judged(rules::SCHEMA_CHANGED, at, self.side, whole, message);
        }
    }

    /// Words inside of two branches that accept the same.
    fn parts_of_same(&mut self, old: &Term<'_>, new: &Term<'_>, at: &str) {
        if !has_union(old) && old.json() != new.json() {
            self.properties(&plain(old), &plain(new), at);
            self.items(&plain(old), &plain(new), at);
        }
    }
}

/// The alternatives, each with what stands beside them but words; a schema without any is the only one of its own.
fn branches<'a>(term: &Term<'a>) -> Vec<Term<'a>> {
    let Some(key) = ["anyOf", "oneOf"].into_iter().find(|key| term.json().get(*key).is_some()) else {
        return split_types(term);
    };
    let mut found = Vec::new();
    for index in 0..list(term.json(), key).len() {
        let Some(branch) = term.child(|schema| schema.get(key)?.get(index)) else { continue };
        let branch = plain(&branch);
        if has_union(&branch) {
            found.extend(branches(&branch));
        } else {
            found.extend(split_types(&branch));
        }
    }
    found
}

/// A schema of several types as one of each, so that `null` beside a type is found in either spelling.
fn split_types<'a>(term: &Term<'a>) -> Vec<Term<'a>> {
    let types = list(term.json(), "type");
    let (true, Json::Object(members)) = (types.len() > 1, term.json()) else { return vec![term.clone()] };
    let of = |ty: &Json| {
        let mut members: Map<String, Json> = members.clone();
        members.insert("type".to_owned(), ty.clone());
        term.made(if ty == "null" { serde_json::json!({ "type": "null" }) } else { Json::Object(members) })
    };
    types.iter().map(of).collect()
}

fn is_null(term: &Term<'_>) -> bool {
    term.json().get("type").is_some_and(|ty| ty == "null")
}

/// What a branch is known by: the tag of an enum, else its type and the fields that it asks for.
fn kind(term: &Term<'_>) -> String {
    let schema = plain(term);
    let schema = schema.json();
    let tags: Vec<String> = tags(schema).map(|(name, tag)| format!("{name}={tag}")).collect();
    let reading = (text(schema, "contentEncoding"), text(schema, "contentMediaType"));
    if !tags.is_empty() {
        return format!("tag {}", tags.join(","));
    }
    let names = if schema.get("additionalProperties") == Some(&Json::Bool(false)) {
        list(schema, "required").iter().map(Json::to_string).collect::<Vec<_>>().join(",")
    } else {
        String::new()
    };
    let constant = schema.get("const").map(Json::to_string).unwrap_or_default();
    let ty = match text(schema, "type") {
        "integer" => "number",
        ty => ty,
    };
    format!("{ty} {reading:?} {names} {constant}")
}

/// The fields of an object that must have one value.
fn tags(schema: &Json) -> impl Iterator<Item = (&String, &Json)> {
    let properties = schema.get("properties").and_then(Json::as_object).into_iter().flatten();
    properties.filter_map(|(name, field)| Some((name, field.get("const")?)))
}

/// A branch in a sentence.
fn name(term: &Term<'_>) -> String {
    let schema = plain(term);
    let schema = schema.json();
    if let Some(constant) = schema.get("const") {
        return format!("the value `{constant}`");
    }
    if let Some((name, tag)) = tags(schema).next() {
        return format!("the variant `{name}` {tag}");
    }
    match (list(schema, "required"), text(schema, "type")) {
        ([Json::String(only)], "object") => format!("the variant `{only}`"),
        (_, "") => format!("the variant {}", shown(Some(schema))),
        (_, ty) => format!("the {ty}"),
    }
}
