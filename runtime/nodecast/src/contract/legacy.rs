//! The profile `legacy`: draft 7 of JSON Schema, which clients of MCP before 2025-11-25 take a schema without `$schema`
//! for, and results that are objects.

use serde_json::{Map, Value as Json, json};

use super::inline::lose;
use super::loss::Places;
use crate::schema::walk;

/// Keywords that draft 7 does not have.
const NEWER: [&str; 8] = [
    "unevaluatedProperties",
    "unevaluatedItems",
    "minContains",
    "maxContains",
    "contentSchema",
    "$anchor",
    "$dynamicRef",
    "$dynamicAnchor",
];

/// A schema of the profile `inline` in the words of draft 7.
pub(super) fn schema(mut schema: Json, at: &str, lost: &mut Places) -> Json {
    rewrite(&mut schema, at, lost);
    schema
}

/// The parts before the whole, since the words for lists and definitions change what counts as a part.
fn rewrite(schema: &mut Json, at: &str, lost: &mut Places) {
    walk::parts_mut(schema, &mut |place, part| rewrite(part, &format!("{at}{place}"), lost));
    let Json::Object(members) = schema else { return };
    for keyword in NEWER {
        if members.shift_remove(keyword).is_some() {
            lose(lost, at, keyword);
        }
    }
    if let Some(first) = members.shift_remove("prefixItems") {
        let rest = members.insert("items".to_owned(), first);
        if let Some(rest) = rest {
            members.insert("additionalItems".to_owned(), rest);
        }
    }
    if let Some(definitions) = members.shift_remove("$defs") {
        members.insert("definitions".to_owned(), definitions);
    }
    if let Some(Json::String(reference)) = members.get_mut("$ref") {
        // There a reference stands alone; what stands beside it is not read.
        *reference = reference.replace("#/$defs/", "#/definitions/");
        if members.len() > 1
            && let Some(reference) = members.shift_remove("$ref")
        {
            members.insert("allOf".to_owned(), json!([{ "$ref": reference }]));
        }
    }
    let mut dependencies = Map::new();
    for keyword in ["dependentRequired", "dependentSchemas"] {
        if let Some(Json::Object(given)) = members.shift_remove(keyword) {
            dependencies.extend(given);
        }
    }
    if !dependencies.is_empty() {
        members.insert("dependencies".to_owned(), dependencies.into());
    }
}
