//! The profile `gemini`: the part of `OpenAPI` 3.0 in which that API takes the parameters of a function. One type a schema,
//! no references, `nullable` for null.

use serde_json::{Map, Value as Json, json};

use super::inline::{lose, only};
use super::loss::Places;
use super::strict::{tuple, union};
use crate::schema::walk;

/// The members of its `Schema`.
const KEYWORDS: [&str; 18] = [
    "type",
    "format",
    "title",
    "description",
    "nullable",
    "enum",
    "items",
    "minItems",
    "maxItems",
    "properties",
    "required",
    "minLength",
    "maxLength",
    "pattern",
    "anyOf",
    "minimum",
    "maximum",
    "default",
];

/// Formats that it knows.
const FORMATS: [&str; 2] = ["date-time", "enum"];

/// The arguments, made of the profile `inline`.
pub(super) fn input(mut schema: Json, lost: &mut Places) -> Json {
    let definitions = schema.as_object_mut().and_then(|members| members.shift_remove("$defs"));
    let definitions = definitions.and_then(|definitions| definitions.as_object().cloned()).unwrap_or_default();
    rewrite(&mut schema, "/inputSchema", &definitions, 0, lost);
    schema
}

/// `depth` counts the references that were put in place above: a type that holds itself is shown once.
fn rewrite(schema: &mut Json, at: &str, definitions: &Map<String, Json>, depth: usize, lost: &mut Places) {
    let mut depth = depth;
    if let Json::Bool(_) = schema {
        *schema = json!({ "type": "object" });
    }
    if let Json::Object(members) = schema {
        if let Some(reference) = members.shift_remove("$ref") {
            let name = reference.as_str().and_then(|reference| reference.strip_prefix("#/$defs/"));
            let definition = name.and_then(|name| definitions.get(name)).and_then(Json::as_object);
            let whole = definition.cloned().unwrap_or_default();
            depth += 1;
            if depth > 1 {
                lose(lost, at, "$ref");
                let ty = whole.get("type").filter(|ty| ty.is_string()).cloned().unwrap_or_else(|| "object".into());
                members.entry("type").or_insert(ty);
            } else {
                fill(members, whole);
            }
        }
        union(members, at, lost);
        tuple(members, at, lost);
        types(members);
        nulls(members);
        values(members, at, lost);
        bounds(members, at, lost);
        let is_unknown = |format: &Json| !format.as_str().is_some_and(|format| FORMATS.contains(&format));
        if members.get("format").is_some_and(is_unknown) {
            members.shift_remove("format");
            lose(lost, at, "format");
        }
        only(members, &KEYWORDS, at, lost);
    }
    walk::parts_mut(schema, &mut |place, part| rewrite(part, &format!("{at}{place}"), definitions, depth, lost));
}

/// Adds what is not said yet.
fn fill(members: &mut Map<String, Json>, more: Map<String, Json>) {
    for (key, member) in more {
        members.entry(key).or_insert(member);
    }
}

/// Several types as alternatives of one each.
fn types(members: &mut Map<String, Json>) {
    let Some(Json::Array(mut types)) = members.get("type").cloned() else { return };
    let before = types.len();
    types.retain(|ty| ty != "null");
    if types.len() < before {
        members.insert("nullable".to_owned(), true.into());
    }
    match types.as_slice() {
        [only] => {
            members.insert("type".to_owned(), only.clone());
        }
        several => {
            let branches: Json = several.iter().map(|ty| json!({ "type": ty })).collect();
            members.shift_remove("type");
            members.entry("anyOf").or_insert(branches);
        }
    }
}

/// A branch that is null as `nullable`.
fn nulls(members: &mut Map<String, Json>) {
    let Some(Json::Array(branches)) = members.get_mut("anyOf") else { return };
    let before = branches.len();
    branches.retain(|branch| branch.get("type").is_none_or(|ty| ty != "null"));
    let only = if branches.len() == 1 { branches.pop() } else { None };
    let has_null = branches.len() + usize::from(only.is_some()) < before;
    if has_null {
        members.insert("nullable".to_owned(), true.into());
    }
    if let Some(Json::Object(branch)) = only {
        members.shift_remove("anyOf");
        fill(members, branch);
    }
}

/// Listed values, of which only texts can be.
fn values(members: &mut Map<String, Json>, at: &str, lost: &mut Places) {
    if let Some(constant) = members.shift_remove("const") {
        if constant.is_string() {
            members.insert("enum".to_owned(), json!([constant]));
        } else {
            lose(lost, at, "const");
        }
    }
    let Some(Json::Array(values)) = members.get_mut("enum") else { return };
    if values.iter().any(Json::is_null) {
        values.retain(|value| !value.is_null());
        members.insert("nullable".to_owned(), true.into());
    }
    let are_texts =
        members.get("enum").and_then(Json::as_array).is_some_and(|values| values.iter().all(Json::is_string));
    if are_texts {
        members.entry("type").or_insert_with(|| "string".into());
    } else {
        members.shift_remove("enum");
        lose(lost, at, "enum");
    }
}

/// Bounds that are left out themselves, which whole numbers can do without.
fn bounds(members: &mut Map<String, Json>, at: &str, lost: &mut Places) {
    let is_whole = members.get("type").is_some_and(|ty| ty == "integer");
    for (open, closed, step) in [("exclusiveMinimum", "minimum", 1), ("exclusiveMaximum", "maximum", -1)] {
        let Some(bound) = members.shift_remove(open) else { continue };
        match bound.as_i64().and_then(|bound| bound.checked_add(step)) {
            Some(bound) if is_whole => {
                members.entry(closed).or_insert_with(|| bound.into());
            }
            _ => lose(lost, at, open),
        }
    }
}
