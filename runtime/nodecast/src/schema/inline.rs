//! Following `$ref`: what a schema reaches, and a copy with references put in place, which keeps a `$ref` only where a
//! type contains itself (`mcp.md` 2).

use std::fmt::Write;

use serde_json::{Map, Value as Json};

use super::walk;

const PREFIX: &str = "#/$defs/";

/// The name behind a `$ref` to a definition.
pub(super) fn target(schema: &Json) -> Option<&str> {
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
    walk::parts(schema, &mut |_, part| collect(part, definitions, names));
}

/// Gives every definition a name that stands in a `$ref` as it is, since not every client decodes one.
///
/// A name that two types would share gets a number, in the order of the definitions, which is the declared one.
pub(super) fn plain_names(schemas: &mut [Json], definitions: Map<String, Json>) -> Map<String, Json> {
    let is_plain = |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte));
    if definitions.keys().all(|name| is_plain(name)) {
        return definitions;
    }
    let mut taken: Vec<String> = definitions.keys().filter(|name| is_plain(name)).cloned().collect();
    let mut renamed = Map::new();
    for name in definitions.keys().filter(|name| !is_plain(name)) {
        let base: String =
            name.chars().map(|char| if is_plain(char.encode_utf8(&mut [0; 4])) { char } else { '_' }).collect();
        let numbered = (2..).map(|number| format!("{base}{number}"));
        let free = std::iter::once(base.clone()).chain(numbered).find(|name| !taken.contains(name)).unwrap_or(base);
        taken.push(free.clone());
        renamed.insert(reference(name), format!("{PREFIX}{free}").into());
    }
    let rename = |schema: &mut Json| {
        walk::all_mut(schema, &mut |schema| {
            let new = schema.get("$ref").and_then(Json::as_str).and_then(|old| renamed.get(old)).cloned();
            if let (Some(new), Some(members)) = (new, schema.as_object_mut()) {
                members.insert("$ref".to_owned(), new);
            }
        });
    };
    schemas.iter_mut().for_each(rename);
    let plain = |name: String| match renamed.get(&reference(&name)).and_then(Json::as_str) {
        Some(new) => new.trim_start_matches(PREFIX).to_owned(),
        None => name,
    };
    definitions
        .into_iter()
        .map(|(name, mut schema)| {
            rename(&mut schema);
            (plain(name), schema)
        })
        .collect()
}

/// How schemars refers to a definition: the name as a token of a JSON pointer in a URI's fragment.
fn reference(name: &str) -> String {
    let mut reference = PREFIX.to_owned();
    for char in name.chars() {
        match char {
            '~' => reference.push_str("~0"),
            '/' => reference.push_str("~1"),
            '!' | '$' | '&'..=';' | '=' | '?'..='Z' | '_' | 'a'..='z' => reference.push(char),
            other => {
                let mut bytes = [0; 4];
                for byte in other.encode_utf8(&mut bytes).bytes() {
                    // Writing to a string cannot fail.
                    let _ = write!(reference, "%{byte:2X}");
                }
            }
        }
    }
    reference
}

/// A copy with every reference put in place that does not lead back to itself.
pub fn inline(full: &Json) -> Json {
    let mut schema = full.clone();
    let definitions = schema.as_object_mut().and_then(|object| object.shift_remove("$defs"));
    let Some(Json::Object(definitions)) = definitions else { return schema };
    put_in_place(&mut schema, &definitions, &mut Vec::new());
    let mut kept = reached(&schema, &definitions);
    for (name, definition) in &mut kept {
        put_in_place(definition, &definitions, &mut vec![name.clone()]);
    }
    if !kept.is_empty()
        && let Some(object) = schema.as_object_mut()
    {
        object.insert("$defs".to_owned(), Json::Object(kept));
    }
    schema
}

/// `within` holds the definitions that are being put in place; a reference to one of them is a recursion and stays.
fn put_in_place(schema: &mut Json, definitions: &Map<String, Json>, within: &mut Vec<String>) {
    let name = target(schema)
        .filter(|name| !within.iter().any(|outer| outer == name) && !is_recursive(name, definitions))
        .map(str::to_owned);
    walk::parts_mut(schema, &mut |_, part| put_in_place(part, definitions, within));
    let Some((mut definition, name)) = name.and_then(|name| Some((definitions.get(&name)?.clone(), name))) else {
        return;
    };
    within.push(name);
    put_in_place(&mut definition, definitions, within);
    within.pop();
    let (Json::Object(base), Json::Object(own)) = (definition, &mut *schema) else { return };
    let mut merged = base;
    for (key, member) in std::mem::take(own) {
        let member = match (key.as_str(), member) {
            ("$ref", _) => continue,
            ("description", Json::String(own)) => described(&own, merged.get("description")).into(),
            (_, member) => member,
        };
        merged.insert(key, member);
    }
    *own = merged;
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
