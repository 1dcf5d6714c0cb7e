//! What in a list of tools some client cannot take (`mcp.md` 2): a superset of the official Inspector's `--strict`.
//!
//! Pure over the elements of a `tools/list` result, so that any server's list can be looked at.

mod refs;
mod rules;
#[cfg(test)]
mod tests;
mod texts;

use std::collections::BTreeMap;

use serde_json::Value as Json;

pub use rules::{LINTS, Lint, Severity};

use crate::schema::{STANDARD_FORMATS, walk};

/// Longest name that every client takes.
const MOST_CHARACTERS: usize = 64;

/// Keywords that say something of the values that a schema takes, of every draft. Whatever else stands in it, such as
/// `nullable`, is for those who know it; `if` says nothing without `then` or `else`.
const RESTRICTING: [&str; 43] = [
    "$dynamicRef",
    "$recursiveRef",
    "$ref",
    "additionalItems",
    "additionalProperties",
    "allOf",
    "anyOf",
    "const",
    "contains",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
    "dependencies",
    "dependentRequired",
    "dependentSchemas",
    "enum",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "items",
    "maxContains",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minContains",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "oneOf",
    "pattern",
    "patternProperties",
    "prefixItems",
    "properties",
    "propertyNames",
    "required",
    "type",
    "unevaluatedItems",
    "unevaluatedProperties",
    "uniqueItems",
];

/// One thing that some client cannot take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The rule.
    pub lint: Lint,
    /// Name of the tool.
    pub tool: String,
    /// JSON pointer into the element of the list.
    pub pointer: String,
    /// What is the matter, without a full stop.
    pub message: String,
}

/// All faults of a list of tools, in its order.
pub fn lint(tools: &[Json]) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut seen: BTreeMap<String, String> = BTreeMap::new();
    for tool in tools {
        let name = tool.get("name").and_then(Json::as_str).unwrap_or_default();
        let mut found = Found { tool: name, faults: &mut faults };
        self::name(name, &mut seen, &mut found);
        texts::all(tool, &mut found);
        let description = tool.get("description").and_then(Json::as_str).unwrap_or_default();
        if description.trim().is_empty() {
            found.add(rules::NO_DESCRIPTION, "", "nothing says what it does".to_owned());
        }
        match tool.get("inputSchema") {
            Some(schema) => document(schema, "/inputSchema", &mut found),
            None => found.add(rules::ROOT_TYPE, "", "there is no `inputSchema`".to_owned()),
        }
        if let Some(schema) = tool.get("outputSchema") {
            document(schema, "/outputSchema", &mut found);
        }
    }
    faults
}

/// The faults of one tool in the making.
struct Found<'f> {
    tool: &'f str,
    faults: &'f mut Vec<Fault>,
}

impl Found<'_> {
    fn add(&mut self, lint: Lint, pointer: &str, message: String) {
        self.faults.push(Fault { lint, tool: self.tool.to_owned(), pointer: pointer.to_owned(), message });
    }
}

fn name(name: &str, seen: &mut BTreeMap<String, String>, found: &mut Found<'_>) {
    let is_plain = |char: char| char.is_ascii_alphanumeric() || char == '_' || char == '-';
    if name.is_empty() || !name.chars().all(is_plain) {
        found.add(rules::BAD_NAME, "/name", format!("`{name}` holds more than letters, digits, `_` and `-`"));
    }
    let length = name.chars().count();
    if length > MOST_CHARACTERS {
        found.add(rules::LONG_NAME, "/name", format!("it has {length} characters, and {MOST_CHARACTERS} are taken"));
    }
    // Clients write names anew for models that take fewer characters.
    let rewritten = name.replace(['-', '.', '/'], "_").to_lowercase();
    match seen.insert(rewritten, name.to_owned()) {
        Some(other) if other == name => {
            found.add(rules::DUPLICATE_NAME, "/name", format!("another tool is called `{name}`"));
        }
        Some(other) => {
            found.add(
                rules::DUPLICATE_NAME,
                "/name",
                format!("`{other}` is the same once a client has rewritten both"),
            );
        }
        None => {}
    }
}

/// A schema that is a document of its own.
fn document(schema: &Json, at: &str, found: &mut Found<'_>) {
    if !is_object(schema) {
        found.add(rules::ROOT_TYPE, at, "its root does not say `\"type\": \"object\"`".to_owned());
    }
    if let Err(problem) = compiled(schema) {
        found.add(rules::INVALID_SCHEMA, at, problem);
    }
    refs::all(schema, at, found);
    visit(schema, at, None, found);
}

fn is_object(schema: &Json) -> bool {
    schema.get("type").is_some_and(|ty| ty == "object")
}

/// Whether the schema is one at all; what it refers to is another rule's.
fn compiled(schema: &Json) -> Result<(), String> {
    match jsonschema::draft202012::meta::validate(schema) {
        Ok(()) => Ok(()),
        Err(error) => Err(format!("it is no JSON Schema: {error}")),
    }
}

/// A schema and all that is in it; `key` is the keyword that it stands under.
fn visit(schema: &Json, at: &str, key: Option<&str>, found: &mut Found<'_>) {
    if let Json::Bool(value) = schema {
        // Where a bool says whether there is anything more, it is what clients know.
        if !matches!(
            key,
            Some("additionalProperties" | "unevaluatedProperties" | "unevaluatedItems" | "additionalItems")
        ) {
            found.add(rules::BOOLEAN_SCHEMA, at, format!("`{value}` stands where a schema should"));
        }
        return;
    }
    let Json::Object(members) = schema else { return };
    types(schema, at, found);
    let restricts = members.keys().any(|key| RESTRICTING.contains(&key.as_str()))
        || (schema.get("if").is_some() && (schema.get("then").is_some() || schema.get("else").is_some()));
    if !restricts && key != Some("not") {
        found.add(rules::UNTYPED_SCHEMA, at, "it says nothing of what it takes".to_owned());
    }
    if let Some(format) =
        schema.get("format").and_then(Json::as_str).filter(|format| !STANDARD_FORMATS.contains(format))
    {
        found.add(rules::UNKNOWN_FORMAT, &format!("{at}/format"), format!("`{format}` is no format of JSON Schema"));
    }
    if let Some(default) = schema.get("default")
        && !refs::has_ref(schema)
        && jsonschema::draft202012::new(schema).is_ok_and(|validator| !validator.is_valid(default))
    {
        let message =
            format!("the default {} is not what the schema takes", super::canonical(default).unwrap_or_default());
        found.add(rules::WRONG_DEFAULT, &format!("{at}/default"), message);
    }
    if let Some(missing) = missing(schema) {
        let message = format!("`{missing}` is required, and no property");
        found.add(rules::UNKNOWN_REQUIRED, &format!("{at}/required"), message);
    }
    each(schema, &mut |place, part| {
        let key = place.trim_start_matches('/').split('/').next();
        visit(part, &format!("{at}{place}"), key, found);
    });
}

/// Every schema directly in another, and bools in their place, with the older drafts' keywords.
fn each<'s>(schema: &'s Json, act: &mut dyn FnMut(&str, &'s Json)) {
    walk::parts(schema, act);
    for key in ["definitions", "dependencies"] {
        for (name, part) in schema.get(key).and_then(Json::as_object).into_iter().flatten() {
            if part.is_object() || part.is_boolean() {
                act(&format!("/{key}/{}", crate::call::escape(name)), part);
            }
        }
    }
    if let Some(items) = schema.get("items").and_then(Json::as_array) {
        items.iter().enumerate().for_each(|(index, part)| act(&format!("/items/{index}"), part));
    }
    if let Some(rest) = schema.get("additionalItems").filter(|rest| rest.is_object()) {
        act("/additionalItems", rest);
    }
}

/// Whether anything holds of a schema or of one inside it.
fn any(schema: &Json, holds: &dyn Fn(&Json) -> bool) -> bool {
    let mut found = holds(schema);
    each(schema, &mut |_, part| found = found || any(part, holds));
    found
}

fn types(schema: &Json, at: &str, found: &mut Found<'_>) {
    if let Some(Json::Array(types)) = schema.get("type") {
        let all = types.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        found.add(rules::TYPE_ARRAY, &format!("{at}/type"), format!("`type` is a list: {all}"));
    }
}

/// A name that is required and has no schema, where all properties have one.
fn missing(schema: &Json) -> Option<&str> {
    let properties = schema.get("properties")?.as_object()?;
    let required = schema.get("required")?.as_array()?.iter().filter_map(Json::as_str);
    let is_simple =
        ["allOf", "anyOf", "oneOf", "patternProperties", "$ref"].iter().all(|key| schema.get(*key).is_none());
    required.into_iter().find(|name| is_simple && !properties.contains_key(*name))
}
