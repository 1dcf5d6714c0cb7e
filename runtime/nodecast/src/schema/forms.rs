//! The other forms in which JSON carries numbers (`wire.md` 4): integers as decimal text, null for what is not finite.
//!
//! They change a schema at every depth, wherever it says a number. The meta of an array is none of its numbers, and a
//! value of any type declares none.

use serde_json::{Map, Value as Json, json};

use super::digits;
use super::normalise::is_any;
use super::walk;
use crate::decl::JsonForm;
use crate::wire::{Regime, X_INTEGER, X_NOT_FINITE};

/// Puts a schema into `form` as this regime carries it: in msgpack a number stays one, and text is taken beside it.
pub(super) fn apply(schema: &mut Json, form: JsonForm, regime: Regime) {
    if form == JsonForm::PLAIN {
        return;
    }
    walk::all_where(schema, has_numbers, &mut |schema| {
        let Some(members) = schema.as_object_mut() else { return };
        if form.integers_as_text {
            // A default of many parts would have to be put into the form part by part; serde fills it in all the same.
            if members.get("default").is_some_and(|default| default.is_object() || default.is_array()) {
                members.shift_remove("default");
            }
            as_text(members, regime);
        }
        if form.non_finite_as_null && regime == Regime::Json {
            nullable(members);
        }
    });
}

/// The name of a definition in that form; definitions are shared by fields that may have other ones.
pub(super) fn named(definition: &str, form: JsonForm) -> String {
    let JsonForm { integers_as_text, non_finite_as_null } = form;
    let text = if integers_as_text { ".text" } else { "" };
    let null = if non_finite_as_null { ".null" } else { "" };
    format!("{definition}{text}{null}")
}

/// Leads every reference to the definition in that form.
pub(super) fn rename_references(schema: &mut Json, form: JsonForm) {
    walk::all_mut(schema, &mut |schema| {
        if let Some(Json::String(reference)) = schema.get_mut("$ref") {
            *reference = named(reference, form);
        }
    });
}

/// Whether a type holds integers that no number of ours can carry.
pub(super) fn holds_128_bits(schema: &Json) -> bool {
    match schema {
        Json::Object(members) => {
            members.get("format").is_some_and(|format| format == "int128" || format == "uint128")
                || members.values().any(holds_128_bits)
        }
        Json::Array(items) => items.iter().any(holds_128_bits),
        _ => false,
    }
}

fn has_numbers(schema: &Json) -> bool {
    let is_array = schema.get("properties").is_some_and(|properties| properties.get("__ndarray__").is_some());
    !is_array && !is_any(schema)
}

fn as_text(members: &mut Map<String, Json>, regime: Regime) {
    let Some(mut types) = types(members).filter(|types| types.iter().any(|ty| ty == "integer")) else { return };
    let (min, max) = bounds(members);
    // A pattern cannot say it, and nothing else would enforce it in one regime and not in the other.
    members.shift_remove("multipleOf");
    for key in ["const", "enum"] {
        texts(members, key, regime);
        if let Some(Json::Object(not)) = members.get_mut("not") {
            texts(not, key, regime);
        }
    }
    match regime {
        Regime::Json => {
            for ty in &mut types {
                if *ty == "integer" {
                    "string".clone_into(ty);
                }
            }
            for key in ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"] {
                members.shift_remove(key);
            }
            if let Some(default) = members.get_mut("default").filter(|default| default.is_number()) {
                *default = default.to_string().into();
            }
        }
        Regime::Msgpack => types.push("string".to_owned()),
    }
    if !members.contains_key("enum") && !members.contains_key("const") {
        members.insert("pattern".to_owned(), digits::pattern(&min, &max).into());
    }
    members.insert(X_INTEGER.to_owned(), json!([min, max]));
    set_types(members, types);
}

/// The smallest and the largest value, in decimal: the type's own where nothing narrows it.
fn bounds(members: &Map<String, Json>) -> (String, String) {
    // What is wider than 64 bits has its bounds in the mark, since no number of JSON's holds them.
    let own = |at: usize| members.get(X_INTEGER).and_then(|range| range.get(at)).and_then(Json::as_str);
    let stated = |key: &str| members.get(key).and_then(whole);
    let min = [stated("minimum"), stated("exclusiveMinimum").map(|bound| bound + 1)].into_iter().flatten().max();
    let max = [stated("maximum"), stated("exclusiveMaximum").map(|bound| bound - 1)].into_iter().flatten().min();
    let min = min.map(|min| min.to_string()).or_else(|| own(0).map(str::to_owned));
    let max = max.map(|max| max.to_string()).or_else(|| own(1).map(str::to_owned));
    (min.unwrap_or_else(|| i64::MIN.to_string()), max.unwrap_or_else(|| u64::MAX.to_string()))
}

#[allow(clippy::cast_possible_truncation, reason = "`as` saturates far beyond every bound of a type")]
fn whole(bound: &Json) -> Option<i128> {
    let integer = bound.as_i64().map(i128::from).or_else(|| bound.as_u64().map(i128::from));
    integer.or_else(|| bound.as_f64().map(|bound| bound as i128))
}

/// The listed integers under `key` as text; in msgpack as numbers too.
fn texts(members: &mut Map<String, Json>, key: &str, regime: Regime) {
    let Some(listed) = members.shift_remove(key) else { return };
    let listed = match listed {
        Json::Array(options) if key == "enum" => options,
        single => vec![single],
    };
    let text = |option: &Json| if option.is_number() { option.to_string().into() } else { option.clone() };
    let mut options: Vec<Json> = listed.iter().map(text).collect();
    if regime == Regime::Msgpack {
        options.splice(0..0, listed.into_iter().filter(Json::is_number));
    }
    members.insert("enum".to_owned(), options.into());
}

fn nullable(members: &mut Map<String, Json>) {
    let Some(mut types) = types(members).filter(|types| types.iter().any(|ty| ty == "number")) else { return };
    if types.iter().any(|ty| ty == "null") {
        return;
    }
    types.push("null".to_owned());
    if let Some(Json::Array(options)) = members.get_mut("enum") {
        options.push(Json::Null);
    }
    members.insert(X_NOT_FINITE.to_owned(), true.into());
    set_types(members, types);
}

fn types(members: &Map<String, Json>) -> Option<Vec<String>> {
    match members.get("type")? {
        Json::String(ty) => Some(vec![ty.clone()]),
        Json::Array(types) => Some(types.iter().filter_map(Json::as_str).map(str::to_owned).collect()),
        _ => None,
    }
}

fn set_types(members: &mut Map<String, Json>, types: Vec<String>) {
    let types = if let [single] = types.as_slice() { Json::from(single.as_str()) } else { types.into() };
    members.insert("type".to_owned(), types);
}
