//! Schemas read as types, and the names that these get: a name is one type in a client, though each document of a
//! contract has definitions of its own.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::composed::{composed, is_composed};
use super::model::{Field, Named, Type, referred};
use crate::tools;

/// What the definitions of a document are called in the client.
type Names = BTreeMap<String, String>;
/// The definitions of a document.
type Definitions<'a> = BTreeMap<&'a str, &'a Value>;

/// What the references of a schema mean.
pub(super) struct Scope<'a> {
    names: &'a Names,
    pub(super) definitions: &'a Definitions<'a>,
}

/// Which way the values of a document go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    In,
    Out,
}

/// The types that have names.
pub(super) struct Types {
    /// In the order of their names.
    pub(super) named: BTreeMap<String, Named>,
    /// By the name in the schema: all that a type says, with what it refers to, and its name in the client.
    known: BTreeMap<String, Vec<(String, String)>>,
    /// Names that are taken.
    taken: BTreeSet<String>,
}

impl Types {
    /// Of these nodes; `reserved` are the names of what is no type of a schema.
    pub(super) fn new(nodes: &[Value], reserved: BTreeSet<String>) -> Self {
        let mut types = Self { named: BTreeMap::new(), known: BTreeMap::new(), taken: reserved };
        // A name that some schema has goes to nothing that is called otherwise there.
        let documents = nodes.iter().flat_map(|node| [node.get("input_schema"), node.get("output_schema")]);
        for name in documents.flatten().flat_map(|document| definitions(document).into_keys()) {
            if types.taken.insert(name.to_owned()) {
                types.known.insert(name.to_owned(), Vec::new());
            }
        }
        types
    }

    /// The fields at the root of a document, whose definitions become types with names.
    pub(super) fn members(&mut self, document: &Value, way: Way) -> Vec<Field> {
        let definitions = definitions(document);
        let names: Names =
            definitions.keys().map(|name| ((*name).to_owned(), self.name(name, &definitions, way))).collect();
        let scope = Scope { names: &names, definitions: &definitions };
        for (name, schema) in &definitions {
            if let Some(own) = names.get(*name) {
                let made = || Named { doc: doc(schema), ty: read(schema, &scope) };
                self.named.entry(own.clone()).or_insert_with(made);
            }
        }
        members(document, &scope)
    }

    /// What a definition is called in the client: the same for the same type, wherever it stands.
    fn name(&mut self, name: &str, definitions: &Definitions<'_>, way: Way) -> String {
        let meaning = meaning(name, definitions);
        let is_free = self.known.get(name).is_some_and(Vec::is_empty);
        let all = self.known.entry(name.to_owned()).or_default();
        if let Some((_, known)) = all.iter().find(|(known, _)| *known == meaning) {
            return known.clone();
        }
        let stem = match way {
            Way::In => name.to_owned(),
            Way::Out => format!("{name}Output"),
        };
        let others = std::iter::once(stem.clone()).chain((2_u32..).map(|number| format!("{stem}{number}")));
        let other = || others.into_iter().find(|other| !self.taken.contains(other));
        // Numbers do not end before one is free.
        let chosen = if is_free { name.to_owned() } else { other().unwrap_or(stem.clone()) };
        all.push((meaning, chosen.clone()));
        self.taken.insert(chosen.clone());
        chosen
    }
}

/// All that a definition says as a type, with those that it leads to.
fn meaning(name: &str, definitions: &Definitions<'_>) -> String {
    let (mut left, mut seen) = (vec![name.to_owned()], BTreeMap::new());
    let scope = Scope { names: &Names::new(), definitions };
    while let Some(next) = left.pop() {
        if let (Some(schema), false) = (definitions.get(next.as_str()), seen.contains_key(&next)) {
            let ty = read(schema, &scope);
            let mut names = Vec::new();
            referred(&ty, &mut names);
            left.extend(names.into_iter().map(str::to_owned));
            seen.insert(next, ty);
        }
    }
    format!("{seen:?}")
}

fn definitions(document: &Value) -> Definitions<'_> {
    let all = document.get("$defs").and_then(Value::as_object).into_iter().flatten();
    all.map(|(name, schema)| (name.as_str(), schema)).collect()
}

/// The fields that an object lists itself.
pub(super) fn members(schema: &Value, scope: &Scope<'_>) -> Vec<Field> {
    let required = tools::entries(schema, "required");
    let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    properties
        .map(|(name, property)| Field {
            name: name.clone(),
            doc: doc(property),
            required: required.iter().any(|required| required == name),
            is_config: false,
            default: property.get("default").cloned(),
            ty: read(property, scope),
        })
        .collect()
}

fn doc(schema: &Value) -> String {
    schema.get("description").and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// A schema as a type.
fn read(schema: &Value, scope: &Scope<'_>) -> Type {
    let word = |key: &str| schema.get(key).and_then(Value::as_str);
    if is_composed(schema) {
        // One part is no composition, and keeps its name.
        if let ([only], false) = (tools::entries(schema, "allOf"), says_more(schema)) {
            return read(only, scope);
        }
        if let Some(ty) = composed(schema, scope) {
            return ty;
        }
    }
    if let Some(reference) = word("$ref") {
        let name = reference.rsplit('/').next().unwrap_or(reference);
        return Type::Named(scope.names.get(name).map_or(name, String::as_str).to_owned());
    }
    if let Some(constant) = schema.get("const") {
        return Type::Values(vec![constant.clone()]);
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        let mut meant = values.clone();
        meant.retain(|value| !value.is_null());
        // Or null, as with any other type.
        return match meant.len() {
            0 => Type::Values(values.clone()),
            some if some < values.len() => Type::Union(vec![Type::Values(meant), Type::Null]),
            _ => Type::Values(meant),
        };
    }
    if let Some(branches) = ["anyOf", "oneOf"].iter().find_map(|key| schema.get(*key).and_then(Value::as_array)) {
        return union(branches.iter().map(|branch| read(branch, scope)).collect());
    }
    if let Some(types) = schema.get("type").and_then(Value::as_array) {
        let each = types.iter().map(|ty| {
            let mut one = schema.as_object().cloned().unwrap_or_default();
            one.insert("type".to_owned(), ty.clone());
            read(&Value::Object(one), scope)
        });
        return union(each.collect());
    }
    match word("type") {
        Some("null") => Type::Null,
        Some("boolean") => Type::Bool,
        Some("integer") => Type::Integer,
        Some("number") => Type::Number,
        Some("string") => match (word("contentMediaType"), word("contentEncoding")) {
            (Some(media), _) if media.starts_with("image/") => Type::Image,
            (_, Some("base64")) => Type::Bytes,
            _ => Type::Text,
        },
        Some("array") => match schema.get("prefixItems").and_then(Value::as_array) {
            Some(items) => Type::Tuple(items.iter().map(|item| read(item, scope)).collect()),
            None => Type::List(Box::new(schema.get("items").map_or(Type::Anything, |items| read(items, scope)))),
        },
        Some("object") => object(schema, scope),
        _ => Type::Anything,
    }
}

/// Whether a schema says anything of an object beside `allOf`.
fn says_more(schema: &Value) -> bool {
    ["$ref", "anyOf", "oneOf", "properties"].iter().any(|key| schema.get(*key).is_some())
}

fn object(schema: &Value, scope: &Scope<'_>) -> Type {
    if schema.pointer("/properties/__ndarray__").is_some() {
        return Type::Array;
    }
    let fields = members(schema, scope);
    let by_pattern = schema.get("patternProperties").and_then(Value::as_object);
    if let Some(patterns) = by_pattern.filter(|patterns| fields.is_empty() && !patterns.is_empty()) {
        return Type::Map(Box::new(union(patterns.values().map(|value| read(value, scope)).collect())));
    }
    match schema.get("additionalProperties") {
        Some(rest @ Value::Object(_)) if fields.is_empty() => Type::Map(Box::new(read(rest, scope))),
        Some(Value::Bool(true)) | None if fields.is_empty() => Type::Map(Box::new(Type::Anything)),
        _ => Type::Object(fields),
    }
}

/// Alternatives, each once; a picture as a file or as an array is a picture.
pub(super) fn union(all: Vec<Type>) -> Type {
    let mut kept: Vec<Type> = Vec::new();
    for ty in all {
        let inner = if let Type::Union(inner) = ty { inner } else { vec![ty] };
        for ty in inner {
            if !kept.contains(&ty) {
                kept.push(ty);
            }
        }
    }
    if kept.contains(&Type::Image) {
        kept.retain(|ty| *ty != Type::Array);
    }
    // Whatever JSON can say.
    if [Type::Bool, Type::Number, Type::Text].iter().all(|ty| kept.contains(ty)) && kept.len() >= 6 {
        return Type::Anything;
    }
    if kept.len() == 1 { kept.remove(0) } else { Type::Union(kept) }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::model::{Api, Type};
    use super::super::{python, rust, ts};

    /// A nodeset whose only output is of this type.
    fn api(nodeset: &str, result: &Value, definitions: &Value) -> Api {
        let output =
            json!({"type": "object", "properties": {"result": result}, "required": ["result"], "$defs": definitions});
        let errors = json!([{"name": "node", "doc": ""}, {"name": "value", "doc": ""}]);
        let node = json!({"name": "a", "full_name": "n__a", "output_schema": output, "errors": errors});
        Api::read(&json!({"contract": {"nodeset": {"name": nodeset}, "nodes": [node]}}))
    }

    #[test]
    fn null_among_values_and_keys_by_pattern_are_types() {
        let of = |schema: &Value| api("n", schema, &json!({})).nodes[0].outputs[0].ty.clone();
        let values = Type::Values(vec!["a".into(), "b".into()]);
        let nullable = json!({"type": ["string", "null"], "enum": ["a", "b", null]});
        assert_eq!(of(&nullable), Type::Union(vec![values, Type::Null]));
        let mut by_number = json!({"type": "object", "additionalProperties": false});
        by_number["patternProperties"] = json!({"^\\d+$": {"type": "number"}});
        assert_eq!(of(&by_number), Type::Map(Box::new(Type::Number)));
        let rust = rust::module(&api("n", &nullable, &json!({})));
        assert!(rust.contains("pub result: Option<AOutputsResult>,"), "{rust}");
    }

    /// In TypeScript a `Record`, in Rust an alias may not be a part of itself.
    #[test]
    fn a_list_or_a_map_may_hold_itself() {
        let definitions = json!({
            "Nested": {"type": "array", "items": {"$ref": "#/$defs/Nested"}},
            "Tree": {"anyOf": [
                {"type": "number"},
                {"type": "object", "additionalProperties": {"$ref": "#/$defs/Tree"}},
            ]},
        });
        let both = json!({"type": "array", "prefixItems": [{"$ref": "#/$defs/Nested"}, {"$ref": "#/$defs/Tree"}]});
        let api = api("n", &both, &definitions);
        let (ts, rust) = (ts::module(&api), rust::module(&api));
        assert!(ts.contains("export type Tree = number | { [name: string]: Tree };"), "{ts}");
        assert!(rust.contains("#[serde(transparent)]\npub struct Nested(pub Vec<Nested>);"), "{rust}");
        assert!(rust.contains("Form1(std::collections::BTreeMap<String, Tree>),"), "{rust}");
    }

    /// Names that the clients have for themselves, and letters of other scripts.
    #[test]
    fn names_that_are_taken_get_others() {
        let word = json!({"enum": ["\u{939}\u{93f}\u{928}\u{94d}\u{926}\u{940}", "b"]});
        let named = json!({"$ref": "#/$defs/Word"});
        let schema = json!({"type": "object", "properties": {"\u{6570}": named, "try": named, "override": named}});
        let of = |nodeset: &str| api(nodeset, &schema, &json!({ "Word": word }));
        let (python, ts) = (python::module(&of("client")), ts::module(&of("client")));
        assert!(python.contains("class Client_(Client):") && ts.contains("class Client_ extends Client {"));
        for class in ["DeclaredNodeError", "DeclaredValueError"] {
            assert!(python.contains(&format!("class {class}(NodeError):")), "{python}");
            assert!(ts.contains(&format!("class {class} extends NodeError {{}}")), "{ts}");
        }
        // An escape of Rust is none of Python.
        assert!(!python.contains("\\u{"), "{python}");
        let rust = rust::module(&of("connection"));
        assert!(rust.contains("pub struct Connection_(Connection);"), "{rust}");
        assert!(rust.contains("#[serde(rename = \"\u{6570}\")]"), "{rust}");
        for field in ["\u{6570}", "r#try", "r#override"] {
            assert!(rust.contains(&format!("    pub {field}: Option<Word>,")), "{rust}");
        }
    }
}
