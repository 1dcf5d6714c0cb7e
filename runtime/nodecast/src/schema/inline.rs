//! Following `$ref`: what a schema reaches, and the profile `inline`, which keeps a `$ref` only where a type contains
//! itself (`mcp.md` 2).

use serde_json::{Map, Value as Json};

use super::wire_type::is_null;

const PREFIX: &str = "#/$defs/";

/// The name behind a `$ref` to a definition.
fn target(schema: &Json) -> Option<&str> {
    schema.get("$ref")?.as_str()?.strip_prefix(PREFIX)
}

/// Follows `$ref`s until there is none, or one that leads nowhere.
pub(super) fn resolve<'a>(schema: &'a Json, definitions: &'a Map<String, Json>) -> &'a Json {
    let mut at = schema;
    // A definition that is nothing but a reference to itself would never end; no chain is longer than the map.
    for _ in 0..=definitions.len() {
        match target(at).and_then(|name| definitions.get(name)) {
            Some(next) => at = next,
            None => break,
        }
    }
    at
}

/// The definitions that a schema reaches, through others too, in the order of their names.
pub(super) fn reached(schema: &Json, definitions: &Map<String, Json>) -> Map<String, Json> {
    let mut names = Vec::new();
    collect(schema, definitions, &mut names);
    names.sort_unstable();
    names.into_iter().filter_map(|name| Some((name.clone(), definitions.get(&name)?.clone()))).collect()
}

fn collect(schema: &Json, definitions: &Map<String, Json>, names: &mut Vec<String>) {
    if let Some(name) = target(schema)
        && !names.iter().any(|known| known == name)
        && let Some(definition) = definitions.get(name)
    {
        names.push(name.to_owned());
        collect(definition, definitions, names);
    }
    match schema {
        Json::Object(members) => members.values().for_each(|member| collect(member, definitions, names)),
        Json::Array(items) => items.iter().for_each(|item| collect(item, definitions, names)),
        _ => {}
    }
}

/// The schema as profile `inline` publishes it: references put in place, and the null of an optional property left
/// out, since clients count a property with null as required or refuse type arrays.
pub fn inline(full: &Json) -> Json {
    let mut schema = full.clone();
    let definitions = match schema.as_object_mut().and_then(|object| object.shift_remove("$defs")) {
        Some(Json::Object(definitions)) => definitions,
        _ => Map::new(),
    };
    let mut within = Vec::new();
    let mut schema = in_place(&schema, &definitions, &mut within);
    let mut kept = reached(&schema, &definitions);
    for (name, definition) in &mut kept {
        let mut within = vec![name.clone()];
        *definition = in_place(definition, &definitions, &mut within);
        drop_optional_nulls(definition);
    }
    drop_optional_nulls(&mut schema);
    if !kept.is_empty()
        && let Some(object) = schema.as_object_mut()
    {
        object.insert("$defs".to_owned(), Json::Object(kept));
    }
    schema
}

/// `within` holds the definitions that are being put in place; a reference to one of them is a recursion and stays.
fn in_place(schema: &Json, definitions: &Map<String, Json>, within: &mut Vec<String>) -> Json {
    match schema {
        Json::Array(items) => items.iter().map(|item| in_place(item, definitions, within)).collect(),
        Json::Object(members) => {
            let inlined = target(schema)
                .filter(|name| !within.iter().any(|outer| outer == name) && !is_recursive(name, definitions))
                .and_then(|name| Some((name.to_owned(), definitions.get(name)?)));
            let mut result = Map::new();
            if let Some((name, definition)) = &inlined {
                within.push(name.clone());
                if let Json::Object(base) = in_place(definition, definitions, within) {
                    result = base;
                }
                within.pop();
            }
            for (key, member) in members {
                if inlined.is_some() && key == "$ref" {
                    continue;
                }
                let member = match (key.as_str(), member) {
                    ("description", Json::String(own)) => described(own, result.get("description")).into(),
                    // Values, not schemas: a member named `$ref` there means itself.
                    ("default" | "const" | "enum" | "examples", value) => value.clone(),
                    // Names, not keywords: a property may be called `$ref`.
                    ("properties" | "patternProperties", Json::Object(properties)) => properties
                        .iter()
                        .map(|(name, schema)| (name.clone(), in_place(schema, definitions, within)))
                        .collect(),
                    (_, schema) => in_place(schema, definitions, within),
                };
                result.insert(key.clone(), member);
            }
            Json::Object(result)
        }
        other => other.clone(),
    }
}

/// What a field says of itself stands in place of what its type says, but for the docs of an enum's variants, which
/// nothing else tells.
fn described(own: &str, of_type: Option<&Json>) -> String {
    let of_type = of_type.and_then(Json::as_str).unwrap_or_default();
    let variants = of_type.lines().filter(|line| line.starts_with('`'));
    std::iter::once(own).chain(variants).collect::<Vec<_>>().join("\n")
}

fn is_recursive(name: &str, definitions: &Map<String, Json>) -> bool {
    definitions.get(name).is_some_and(|definition| reached(definition, definitions).contains_key(name))
}

fn drop_optional_nulls(schema: &mut Json) {
    match schema {
        Json::Object(members) => {
            let required: Vec<String> = members
                .get("required")
                .and_then(Json::as_array)
                .map(|names| names.iter().filter_map(Json::as_str).map(str::to_owned).collect())
                .unwrap_or_default();
            if let Some(properties) = members.get_mut("properties").and_then(Json::as_object_mut) {
                for (name, property) in properties.iter_mut() {
                    if !required.contains(name) {
                        drop_null(property);
                    }
                }
            }
            members.values_mut().for_each(drop_optional_nulls);
        }
        Json::Array(items) => items.iter_mut().for_each(drop_optional_nulls),
        _ => {}
    }
}

fn drop_null(schema: &mut Json) {
    let Some(members) = schema.as_object_mut() else { return };
    if members.get("default").is_some_and(Json::is_null) {
        members.shift_remove("default");
    }
    if let Some(Json::Array(types)) = members.get_mut("type") {
        types.retain(|ty| ty != "null");
        if let [single] = types.as_slice() {
            let single = single.clone();
            members.insert("type".to_owned(), single);
        }
    }
    if let Some(Json::Array(options)) = members.get_mut("enum") {
        options.retain(|option| !option.is_null());
    }
    let Some(Json::Array(branches)) = members.get_mut("anyOf") else { return };
    branches.retain(|branch| !is_null(branch));
    if branches.len() == 1
        && let Some(Json::Array(branches)) = members.shift_remove("anyOf")
        && let Some(Json::Object(branch)) = branches.into_iter().next()
    {
        for (key, member) in branch {
            // What the field says of itself comes before what its type says.
            members.entry(key).or_insert(member);
        }
    }
}
