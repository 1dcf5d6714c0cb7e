//! Which members of a schema are schemas themselves: the one place that knows it.
//!
//! Everything else in a schema is a value or a name. A walk that took each member for a schema would read a property
//! called `default` or `$ref` as the keyword.

use serde_json::Value as Json;

use crate::wire::escape;

/// Members whose own members are schemas by name.
const BY_NAME: [&str; 4] = ["properties", "patternProperties", "$defs", "dependentSchemas"];
/// Members that are lists of schemas.
const LISTS: [&str; 4] = ["allOf", "anyOf", "oneOf", "prefixItems"];
/// Members that are one schema.
const SINGLE: [&str; 8] = ["items", "contains", "propertyNames", "not", "if", "then", "else", "contentSchema"];
/// Members that are one schema, or a bool that says whether there is anything more.
const REST: [&str; 3] = ["additionalProperties", "unevaluatedProperties", "unevaluatedItems"];

fn is_single(key: &str, member: &Json) -> bool {
    SINGLE.contains(&key) || (REST.contains(&key) && member.is_object())
}

/// Calls `act` with each schema directly inside a schema, and its place as a JSON pointer from there.
pub(crate) fn parts<'s>(schema: &'s Json, act: &mut dyn FnMut(&str, &'s Json)) {
    let Json::Object(members) = schema else { return };
    for (key, member) in members {
        match member {
            Json::Object(schemas) if BY_NAME.contains(&key.as_str()) => {
                schemas.iter().for_each(|(name, schema)| act(&format!("/{key}/{}", escape(name)), schema));
            }
            Json::Array(schemas) if LISTS.contains(&key.as_str()) => {
                schemas.iter().enumerate().for_each(|(index, schema)| act(&format!("/{key}/{index}"), schema));
            }
            schema if is_single(key, schema) => act(&format!("/{key}"), schema),
            _ => {}
        }
    }
}

/// Whether anything holds of a schema or of one inside it.
pub(crate) fn any(schema: &Json, holds: &dyn Fn(&Json) -> bool) -> bool {
    let mut found = holds(schema);
    parts(schema, &mut |_, part| found = found || any(part, holds));
    found
}

/// Calls `act` with each schema directly inside a schema, which it may change, and its place.
pub(crate) fn parts_mut(schema: &mut Json, act: &mut dyn FnMut(&str, &mut Json)) {
    let Json::Object(members) = schema else { return };
    for (key, member) in members {
        match member {
            Json::Object(schemas) if BY_NAME.contains(&key.as_str()) => {
                schemas.iter_mut().for_each(|(name, schema)| act(&format!("/{key}/{}", escape(name)), schema));
            }
            Json::Array(schemas) if LISTS.contains(&key.as_str()) => {
                schemas.iter_mut().enumerate().for_each(|(index, schema)| act(&format!("/{key}/{index}"), schema));
            }
            schema if is_single(key, schema) => act(&format!("/{key}"), schema),
            _ => {}
        }
    }
}

/// Calls `act` with every schema of a document, the parts before the whole.
pub(crate) fn all_mut(schema: &mut Json, act: &mut dyn FnMut(&mut Json)) {
    all_where(schema, |_| true, act);
}

/// As [`all_mut`], but for schemas that `enter` leaves out, with all their parts.
pub(crate) fn all_where(schema: &mut Json, enter: fn(&Json) -> bool, act: &mut dyn FnMut(&mut Json)) {
    if enter(schema) {
        parts_mut(schema, &mut |_, part| all_where(part, enter, act));
        act(schema);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{all_mut, parts};

    #[test]
    fn names_and_values_are_no_schemas() {
        let schema = json!({
            "properties": {"default": {"type": "string"}, "a/b": true},
            "default": {"properties": {"no": {}}},
            "enum": [{"items": {}}],
            "anyOf": [{"const": {"items": 1}}],
            "items": false,
        });
        let mut places = Vec::new();
        parts(&schema, &mut |place, _| places.push(place.to_owned()));
        assert_eq!(places, ["/properties/default", "/properties/a~1b", "/anyOf/0", "/items"]);
        let mut count = 0;
        all_mut(&mut schema.clone(), &mut |_| count += 1);
        assert_eq!(count, 5);
    }
}
