//! The profile `strict`: for the APIs of models that fill in arguments by a grammar made of the schema. There every
//! property is required, and what may be left out may be null instead, which a call takes for left out.

use serde_json::{Map, Value as Json, json};

use super::inline::{lose, only};
use super::loss::Places;
use crate::schema::walk;

/// What such a grammar is made of.
const KEYWORDS: [&str; 21] = [
    "type",
    "enum",
    "const",
    "anyOf",
    "$ref",
    "$defs",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "minItems",
    "maxItems",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "pattern",
    "format",
    "description",
    "title",
];

/// Formats that it knows.
const FORMATS: [&str; 9] = ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];

/// The arguments, made of the profile `inline`.
pub(super) fn input(mut schema: Json, lost: &mut Places) -> Json {
    rewrite(&mut schema, "/inputSchema", lost);
    schema
}

fn rewrite(schema: &mut Json, at: &str, lost: &mut Places) {
    if let Json::Object(members) = schema {
        union(members, at, lost);
        tuple(members, at, lost);
        object(members, at, lost);
        let is_unknown = |format: &Json| !format.as_str().is_some_and(|format| FORMATS.contains(&format));
        if members.get("format").is_some_and(is_unknown) {
            members.shift_remove("format");
            lose(lost, at, "format");
        }
        only(members, &KEYWORDS, at, lost);
    }
    walk::parts_mut(schema, &mut |place, part| rewrite(part, &format!("{at}{place}"), lost));
}

/// `oneOf` as `anyOf`.
pub(super) fn union(members: &mut Map<String, Json>, at: &str, lost: &mut Places) {
    if let Some(branches) = members.shift_remove("oneOf") {
        lose(lost, at, "oneOf");
        members.entry("anyOf").or_insert(branches);
    }
}

/// A list of a type each place as a list of any of these types.
pub(super) fn tuple(members: &mut Map<String, Json>, at: &str, lost: &mut Places) {
    let Some(Json::Array(mut items)) = members.shift_remove("prefixItems") else { return };
    lose(lost, at, "prefixItems");
    items.extend(members.shift_remove("items").filter(Json::is_object));
    let mut kinds: Vec<Json> = Vec::new();
    for item in items {
        if !kinds.contains(&item) {
            kinds.push(item);
        }
    }
    let items = if kinds.len() == 1 { kinds.pop().unwrap_or_default() } else { json!({ "anyOf": kinds }) };
    members.insert("items".to_owned(), items);
}

/// An object with every property required, and nothing else in it.
fn object(members: &mut Map<String, Json>, at: &str, lost: &mut Places) {
    if members.get("type").is_none_or(|ty| ty != "object") {
        return;
    }
    if members.get("additionalProperties") != Some(&Json::Bool(false)) {
        // Names that nobody knows beforehand stand in no grammar.
        lose(lost, at, "additionalProperties");
        members.insert("additionalProperties".to_owned(), false.into());
    }
    let required = members.shift_remove("required").and_then(|names| names.as_array().cloned()).unwrap_or_default();
    let properties = members.entry("properties").or_insert_with(|| Json::Object(Map::new()));
    let Json::Object(properties) = properties else { return };
    let names: Json = properties.keys().map(|name| Json::from(name.as_str())).collect();
    for (name, property) in properties.iter_mut() {
        let place = format!("{at}/properties/{}", crate::call::escape(name));
        if property.as_object_mut().is_some_and(|members| members.shift_remove("default").is_some()) {
            lose(lost, &place, "default");
        }
        let is_required = required.iter().any(|required| required == name);
        // Clients mirror in a header what has one type, and drop a tool that asks for more.
        if !is_required && property.get("x-mcp-header").is_some() {
            lose(lost, &place, "null");
        } else if !is_required {
            or_null(property);
        }
    }
    members.insert("required".to_owned(), names);
}

/// The schema or null; what it says of itself stays outside.
fn or_null(schema: &mut Json) {
    let Json::Object(members) = schema else { return };
    let is_null = |branch: &Json| branch.get("type").is_some_and(|ty| ty == "null");
    if let Some(Json::Array(branches)) = members.get_mut("anyOf") {
        if !branches.iter().any(is_null) {
            branches.push(json!({ "type": "null" }));
        }
        return;
    }
    let mut outside = Map::new();
    for key in ["description", "title"] {
        if let Some(words) = members.shift_remove(key) {
            outside.insert(key.to_owned(), words);
        }
    }
    let inside = Json::Object(std::mem::take(members));
    outside.insert("anyOf".to_owned(), json!([inside, { "type": "null" }]));
    *members = outside;
}
