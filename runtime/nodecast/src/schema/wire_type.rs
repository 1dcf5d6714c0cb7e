//! The wire type of a field, read from the schema of its type (`wire.md` 1.1).

use serde_json::{Map, Value as Json};

use super::inline::resolve;
use super::walk;
use crate::wire::X_WIRE;

/// `TEXT`, `BOOL`, `IMAGE`, `LIST[…]` …; `ANY` for all that has no name of its own.
pub(super) fn of(schema: &Json, definitions: &Map<String, Json>) -> String {
    let schema = without_null(resolve(schema, definitions), definitions);
    if let Some(mark) = schema.get(X_WIRE).and_then(Json::as_str) {
        return mark.to_owned();
    }
    match kind(schema) {
        Some("string") => "TEXT".to_owned(),
        Some("boolean") => "BOOL".to_owned(),
        Some("array") if schema.get("prefixItems").is_none() => match schema.get("items") {
            // A list of lists has no name, and may be a list of itself.
            Some(items) if kind(without_null(resolve(items, definitions), definitions)) != Some("array") => {
                format!("LIST[{}]", of(items, definitions))
            }
            _ => "LIST[ANY]".to_owned(),
        },
        Some("object") if is_metrics(schema, definitions) => "METRICS".to_owned(),
        None if is_text_enum(schema) => "TEXT".to_owned(),
        _ => "ANY".to_owned(),
    }
}

/// Whether pictures stand in a schema, at any depth.
pub fn holds_pictures(schema: &Json) -> bool {
    walk::any(schema, &|part| part.get("contentMediaType").is_some_and(|media| media == "image/png"))
}

/// Whether a text may be a value; where nothing says what a value is, it may.
pub fn takes_text(schema: &Json) -> bool {
    let nothing = Map::new();
    may_be_text(schema, schema.get("$defs").and_then(Json::as_object).unwrap_or(&nothing), 0)
}

/// Schemas that refer to each other in a ring say nothing.
const LONGEST_CHAIN: usize = 32;

fn may_be_text(schema: &Json, definitions: &Map<String, Json>, chain: usize) -> bool {
    let schema = resolve(schema, definitions);
    if chain == LONGEST_CHAIN || schema.is_boolean() {
        return schema != &Json::Bool(false);
    }
    let listed = match schema.get("type") {
        Some(Json::Array(types)) => types.iter().any(|ty| ty == "string"),
        Some(ty) => ty == "string",
        None => true,
    };
    let parts = |key: &str| schema.get(key).and_then(Json::as_array);
    let may = |part: &Json| may_be_text(part, definitions, chain + 1);
    listed
        && schema.get("const").is_none_or(Json::is_string)
        && parts("enum").is_none_or(|values| values.iter().any(Json::is_string))
        && parts("allOf").is_none_or(|all| all.iter().all(may))
        && ["anyOf", "oneOf"].iter().all(|key| parts(key).is_none_or(|any| any.iter().any(may)))
}

/// The schema without the null of an `Option`.
fn without_null<'a>(schema: &'a Json, definitions: &'a Map<String, Json>) -> &'a Json {
    let Some([first, second]) = schema.get("anyOf").and_then(Json::as_array).map(Vec::as_slice) else {
        return schema;
    };
    match (is_null(first), is_null(second)) {
        (false, true) => resolve(first, definitions),
        (true, false) => resolve(second, definitions),
        _ => schema,
    }
}

pub(super) fn is_null(schema: &Json) -> bool {
    schema.get("type").is_some_and(|ty| ty == "null")
}

/// The one type besides null.
pub(super) fn kind(schema: &Json) -> Option<&str> {
    match schema.get("type")? {
        Json::String(ty) => Some(ty),
        Json::Array(types) => {
            let mut others = types.iter().filter_map(Json::as_str).filter(|ty| *ty != "null");
            others.next().filter(|_| others.next().is_none())
        }
        _ => None,
    }
}

fn is_metrics(schema: &Json, definitions: &Map<String, Json>) -> bool {
    // Names that are said are others than text.
    ["properties", "propertyNames"].iter().all(|keyword| schema.get(*keyword).is_none())
        && schema.get("additionalProperties").is_some_and(|values| kind(resolve(values, definitions)) == Some("number"))
}

/// A unit enum whose variants have docs is a `oneOf` of constants.
fn is_text_enum(schema: &Json) -> bool {
    schema
        .get("oneOf")
        .and_then(Json::as_array)
        .is_some_and(|variants| !variants.is_empty() && variants.iter().all(|variant| kind(variant) == Some("string")))
}
