//! Closing: a copy of a schema that refuses what serde would ignore, an unknown field of a struct at any depth.
//!
//! A struct on its own is closed by `additionalProperties`, one without fields too, so a type of any members must say
//! `additionalProperties: true`. Where an object is composed (serde's `flatten`, internally tagged enums), no part can
//! be closed by itself, since it does not know the other parts' names: the parts are opened and the whole is closed by
//! `unevaluatedProperties`.

use serde_json::{Map, Value as Json, json};

use super::walk;
use crate::wire::X_TAG;

/// A closed copy; definitions that become part of a composed object are copied into place.
pub(super) fn closed(schema: &Json, definitions: &Map<String, Json>) -> Json {
    Closer { definitions, within: Vec::new() }.copy(schema, Ends::Closed)
}

/// Keeps the members that an object lists out of what its parts say of all others: a map that is flattened into a struct,
/// as a variant of an enum is, is not about the struct's own fields, and schemars does not tell it so.
pub(super) fn spare_own_members(schema: &mut Json) {
    walk::all_mut(schema, &mut |schema| {
        let Some(members) = schema.as_object_mut() else { return };
        let Some(Json::Object(own)) = members.get("properties").cloned() else { return };
        spare(members, &own);
    });
}

/// Lists `own` members in every part of an object that says something of all others.
fn spare(object: &mut Map<String, Json>, own: &Map<String, Json>) {
    let parts = object.iter_mut().filter(|(keyword, _)| UNIONS.contains(&keyword.as_str()));
    for part in parts.filter_map(|(_, parts)| parts.as_array_mut()).flatten().filter_map(Json::as_object_mut) {
        spare(part, own);
        if part.get("additionalProperties").is_some_and(Json::is_object)
            && let Json::Object(listed) = part.entry("properties").or_insert_with(|| Map::new().into())
        {
            for (name, schema) in own {
                listed.entry(name.clone()).or_insert_with(|| schema.clone());
            }
        }
    }
}

/// Lets the tag of a struct through, which serde sends (`#[serde(tag = "…")]`) and schemars does not know of: a member of
/// any name, whose text is the struct's own.
pub(super) fn let_tags_through(definitions: &mut Map<String, Json>) {
    for (name, definition) in definitions {
        for keyword in ["additionalProperties", "unevaluatedProperties"] {
            if let Some(rest) = definition.get_mut(keyword).filter(|rest| **rest == false) {
                let mut names = vec![name.as_str(), base(name)];
                names.dedup();
                *rest = json!({"enum": names, X_TAG: true});
            }
        }
    }
}

/// The name of a type without the number by which schemars tells it from another one of that name.
pub(super) fn base(name: &str) -> &str {
    name.trim_end_matches(|digit: char| digit.is_ascii_digit())
}

/// Whether an object schema refuses names that it does not list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    Closed,
    Open,
}

struct Closer<'a> {
    definitions: &'a Map<String, Json>,
    /// Definitions that are being copied into place, since a recursive one would never end.
    within: Vec<String>,
}

const UNIONS: [&str; 3] = ["allOf", "anyOf", "oneOf"];

impl Closer<'_> {
    fn copy(&mut self, schema: &Json, ends: Ends) -> Json {
        let Json::Object(members) = schema else { return schema.clone() };
        let object = is_object(members);
        let composed = members.contains_key("allOf")
            || (object && (members.contains_key("$ref") || UNIONS.iter().any(|union| members.contains_key(*union))));
        let parts = if composed { Ends::Open } else { ends };

        let mut result = Map::new();
        for (key, member) in members {
            match key.as_str() {
                "$ref" if parts == Ends::Open => match self.definition_in_place(member) {
                    Some(copy) if members.len() == 1 => return copy,
                    Some(copy) => {
                        push_part(&mut result, copy);
                    }
                    None => {
                        result.insert(key.clone(), member.clone());
                    }
                },
                "additionalProperties" | "unevaluatedProperties" if parts == Ends::Open && member == false => {}
                "allOf" => {
                    if let Json::Array(branches) = member {
                        for branch in branches {
                            let branch = self.copy(branch, parts);
                            push_part(&mut result, branch);
                        }
                    }
                }
                "anyOf" | "oneOf" => {
                    let branches = self.copies(member, parts);
                    result.insert(key.clone(), branches);
                }
                "properties" | "patternProperties" => {
                    if let Json::Object(properties) = member {
                        let copies: Map<String, Json> = properties
                            .iter()
                            .map(|(name, schema)| (name.clone(), self.copy(schema, Ends::Closed)))
                            .collect();
                        result.insert(key.clone(), Json::Object(copies));
                    }
                }
                "prefixItems" => {
                    let items = self.copies(member, Ends::Closed);
                    result.insert(key.clone(), items);
                }
                "items" | "additionalProperties" | "contains" | "propertyNames" | "not" => {
                    let copy = self.copy(member, Ends::Closed);
                    result.insert(key.clone(), copy);
                }
                _ => {
                    result.insert(key.clone(), member.clone());
                }
            }
        }
        if ends == Ends::Closed && (object || composed) {
            let keyword = if composed { "unevaluatedProperties" } else { "additionalProperties" };
            if !result.contains_key("additionalProperties") {
                result.entry(keyword).or_insert(false.into());
            }
        }
        Json::Object(result)
    }

    fn copies(&mut self, schemas: &Json, ends: Ends) -> Json {
        match schemas {
            Json::Array(schemas) => schemas.iter().map(|schema| self.copy(schema, ends)).collect(),
            other => other.clone(),
        }
    }

    fn definition_in_place(&mut self, reference: &Json) -> Option<Json> {
        let name = reference.as_str()?.strip_prefix("#/$defs/")?;
        if self.within.iter().any(|outer| outer == name) {
            return None;
        }
        let definition = self.definitions.get(name)?;
        self.within.push(name.to_owned());
        let copy = self.copy(definition, Ends::Open);
        self.within.pop();
        Some(copy)
    }
}

fn push_part(object: &mut Map<String, Json>, part: Json) {
    if let Json::Array(parts) = object.entry("allOf").or_insert_with(|| Json::Array(Vec::new())) {
        parts.push(part);
    }
}

fn is_object(members: &Map<String, Json>) -> bool {
    members.contains_key("properties")
        || members.contains_key("patternProperties")
        || members.get("type").is_some_and(|ty| ty == "object")
}
