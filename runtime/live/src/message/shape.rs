//! The one-line shape of a message: `add_item {sku: string, unit_price: integer >= 0, note?: string}`.

use nodecast::catalog::{Entry, Field};
use serde_json::{Map, Value as Json};

/// Deeper than this a shape says less than the schema, and a recursive type ends somewhere.
const DEEPEST: usize = 4;
/// From here on a bound is the end of a type and says nothing to a reader.
const FAR: f64 = 2_147_483_647.0;

/// The name and the shape of the arguments; the name alone where there are none.
pub(crate) fn shape(entry: &Entry) -> String {
    let fields: Vec<_> = entry.inputs.iter().filter(|field| !field.is_label()).map(field).collect();
    if fields.is_empty() { entry.name.to_string() } else { format!("{} {{{}}}", entry.name, fields.join(", ")) }
}

fn field(field: &Field) -> String {
    let schema = field.checked_json.as_ref().unwrap_or(&field.checked);
    let has_default = field.config.as_ref().is_some_and(|config| config.default.is_some());
    member(&field.name, field.optional || has_default, &of(schema, schema, 0))
}

fn member(name: &str, optional: bool, shape: &str) -> String {
    format!("{name}{}: {shape}", if optional { "?" } else { "" })
}

/// The shape of a schema inside `root`, which holds its definitions.
fn of(schema: &Json, root: &Json, depth: usize) -> String {
    let Some(members) = schema.as_object() else { return "any".to_owned() };
    if depth > DEEPEST {
        return "…".to_owned();
    }
    if let Some(target) = members.get("$ref").and_then(Json::as_str) {
        let target = target.strip_prefix('#').and_then(|pointer| root.pointer(pointer));
        return target.map_or_else(|| "any".to_owned(), |target| of(target, root, depth + 1));
    }
    if let Some(value) = members.get("const") {
        return value.to_string();
    }
    if let Some(options) = members.get("enum").and_then(Json::as_array) {
        return joined(options.iter().filter(|option| !option.is_null()).map(Json::to_string));
    }
    for key in ["anyOf", "oneOf"] {
        if let Some(branches) = members.get(key).and_then(Json::as_array) {
            let branches = branches.iter().filter(|branch| branch.get("type").and_then(Json::as_str) != Some("null"));
            return joined(branches.map(|branch| of(branch, root, depth + 1)));
        }
    }
    match kind(members) {
        Some("integer") => bounded("integer", members),
        Some("number") => bounded("number", members),
        Some("array") => match members.get("items") {
            Some(items) => format!("[{}]", of(items, root, depth + 1)),
            None => "array".to_owned(),
        },
        Some("object") => object(members, root, depth),
        Some(kind) => kind.to_owned(),
        None => "any".to_owned(),
    }
}

fn object(members: &Map<String, Json>, root: &Json, depth: usize) -> String {
    let required = members.get("required").and_then(Json::as_array);
    let is_required = |name: &str| required.is_some_and(|all| all.iter().any(|one| one == name));
    if let Some(properties) = members.get("properties").and_then(Json::as_object).filter(|all| !all.is_empty()) {
        let properties =
            properties.iter().map(|(name, schema)| member(name, !is_required(name), &of(schema, root, depth + 1)));
        return format!("{{{}}}", properties.collect::<Vec<_>>().join(", "));
    }
    match members.get("additionalProperties") {
        Some(values @ Json::Object(_)) => format!("{{…: {}}}", of(values, root, depth + 1)),
        _ => "object".to_owned(),
    }
}

/// The first type that is not null.
fn kind(members: &Map<String, Json>) -> Option<&str> {
    match members.get("type")? {
        Json::String(kind) => Some(kind),
        Json::Array(kinds) => kinds.iter().filter_map(Json::as_str).find(|kind| *kind != "null"),
        _ => None,
    }
}

fn bounded(kind: &str, members: &Map<String, Json>) -> String {
    let bound = |key: &str| members.get(key).filter(|bound| bound.as_f64().is_some_and(|bound| bound.abs() < FAR));
    match (bound("minimum"), bound("maximum")) {
        (Some(low), Some(high)) => format!("{kind} {low}..{high}"),
        (Some(low), None) => format!("{kind} >= {low}"),
        (None, Some(high)) => format!("{kind} <= {high}"),
        (None, None) => kind.to_owned(),
    }
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    let mut all: Vec<String> = Vec::new();
    for part in parts {
        if !all.contains(&part) {
            all.push(part);
        }
    }
    all.join(" | ")
}
