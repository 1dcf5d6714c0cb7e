//! Schemas read as types, and the names that these get: a name is one type in a client, though each document of a
//! contract has definitions of its own.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::model::{Field, Named, Type};
use crate::tools;

/// What the definitions of a document are called in the client.
type Names = BTreeMap<String, String>;
/// The definitions of a document.
type Definitions<'a> = BTreeMap<&'a str, &'a Value>;

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
        for (name, schema) in definitions {
            if let Some(own) = names.get(name) {
                let made = || Named { doc: doc(schema), ty: read(schema, &names) };
                self.named.entry(own.clone()).or_insert_with(made);
            }
        }
        members(document, &names)
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
    while let Some(next) = left.pop() {
        if let (Some(schema), false) = (definitions.get(next.as_str()), seen.contains_key(&next)) {
            let ty = read(schema, &Names::new());
            referred(&ty, &mut left);
            seen.insert(next, ty);
        }
    }
    format!("{seen:?}")
}

fn referred(ty: &Type, names: &mut Vec<String>) {
    match ty {
        Type::Named(name) => names.push(name.clone()),
        Type::List(inner) | Type::Map(inner) => referred(inner, names),
        Type::Tuple(all) | Type::Union(all) => all.iter().for_each(|ty| referred(ty, names)),
        Type::Object(fields) => fields.iter().for_each(|field| referred(&field.ty, names)),
        _ => {}
    }
}

fn definitions(document: &Value) -> Definitions<'_> {
    let all = document.get("$defs").and_then(Value::as_object).into_iter().flatten();
    all.map(|(name, schema)| (name.as_str(), schema)).collect()
}

fn members(schema: &Value, names: &Names) -> Vec<Field> {
    let required = tools::entries(schema, "required");
    let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    properties
        .map(|(name, property)| Field {
            name: name.clone(),
            doc: doc(property),
            required: required.iter().any(|required| required == name),
            is_config: false,
            default: property.get("default").cloned(),
            ty: read(property, names),
        })
        .collect()
}

fn doc(schema: &Value) -> String {
    schema.get("description").and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// A schema as a type.
fn read(schema: &Value, names: &Names) -> Type {
    let word = |key: &str| schema.get(key).and_then(Value::as_str);
    if let Some(reference) = word("$ref") {
        let name = reference.rsplit('/').next().unwrap_or(reference);
        return Type::Named(names.get(name).map_or(name, String::as_str).to_owned());
    }
    if let Some(constant) = schema.get("const") {
        return Type::Values(vec![constant.clone()]);
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return Type::Values(values.clone());
    }
    if let Some(branches) = ["anyOf", "oneOf"].iter().find_map(|key| schema.get(*key).and_then(Value::as_array)) {
        return union(branches.iter().map(|branch| read(branch, names)).collect());
    }
    if let Some(types) = schema.get("type").and_then(Value::as_array) {
        let each = types.iter().map(|ty| {
            let mut one = schema.as_object().cloned().unwrap_or_default();
            one.insert("type".to_owned(), ty.clone());
            read(&Value::Object(one), names)
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
            Some(items) => Type::Tuple(items.iter().map(|item| read(item, names)).collect()),
            None => Type::List(Box::new(schema.get("items").map_or(Type::Anything, |items| read(items, names)))),
        },
        Some("object") => object(schema, names),
        _ => Type::Anything,
    }
}

fn object(schema: &Value, names: &Names) -> Type {
    if schema.pointer("/properties/__ndarray__").is_some() {
        return Type::Array;
    }
    let fields = members(schema, names);
    match schema.get("additionalProperties") {
        Some(rest @ Value::Object(_)) if fields.is_empty() => Type::Map(Box::new(read(rest, names))),
        Some(Value::Bool(true)) | None if fields.is_empty() => Type::Map(Box::new(Type::Anything)),
        _ => Type::Object(fields),
    }
}

/// Alternatives, each once; a picture as a file or as an array is a picture.
fn union(all: Vec<Type>) -> Type {
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
