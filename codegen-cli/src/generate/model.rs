//! What a client needs to know of a contract, in the terms of programming languages instead of those of JSON Schema.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::tools;

/// A nodeset as a client sees it.
#[derive(Clone, Debug)]
pub(crate) struct Api {
    /// Name of the nodeset.
    pub(crate) name: String,
    pub(crate) doc: String,
    pub(crate) hash: String,
    pub(crate) version: String,
    pub(crate) nodes: Vec<Node>,
    /// Types that have names, in the order of these.
    pub(crate) types: BTreeMap<String, Named>,
    /// Declared kinds of error, over all nodes.
    pub(crate) errors: BTreeMap<String, String>,
}

/// One callable.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// Name without the prefix.
    pub(crate) name: String,
    /// Name on the wire.
    pub(crate) full_name: String,
    pub(crate) doc: String,
    pub(crate) deprecated: bool,
    pub(crate) inputs: Vec<Field>,
    pub(crate) outputs: Vec<Field>,
    /// Names of the kinds of error that it declares.
    pub(crate) errors: Vec<String>,
}

/// An argument, an output, or a field of an object.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) doc: String,
    pub(crate) required: bool,
    /// Whether it travels as a config field.
    pub(crate) is_config: bool,
    pub(crate) default: Option<Value>,
    pub(crate) ty: Type,
}

/// A type with a name.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Named {
    pub(crate) doc: String,
    pub(crate) ty: Type,
}

/// A type.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Type {
    Anything,
    Null,
    Bool,
    Integer,
    Number,
    Text,
    Bytes,
    /// A picture, as a file.
    Image,
    /// Numbers in several dimensions.
    Array,
    /// One of these values.
    Values(Vec<Value>),
    List(Box<Type>),
    Tuple(Vec<Type>),
    Map(Box<Type>),
    Object(Vec<Field>),
    Union(Vec<Type>),
    Named(String),
}

impl Api {
    /// Reads a contract document.
    pub(crate) fn read(document: &Value) -> Self {
        let word = |pointer: &str| document.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
        let nodes =
            document.pointer("/contract/nodes").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let mut types = BTreeMap::new();
        for node in nodes {
            for key in ["input_schema", "output_schema"] {
                let definitions = node.pointer(&format!("/{key}/$defs")).and_then(Value::as_object);
                for (name, schema) in definitions.into_iter().flatten() {
                    // Where two nodes mean different things by one name, the first names it; the JSON is the same.
                    types.entry(name.clone()).or_insert_with(|| Named { doc: doc(schema), ty: read(schema) });
                }
            }
        }
        let mut errors = BTreeMap::new();
        let api_nodes = nodes.iter().map(|node| {
            let kinds = tools::entries(node, "errors");
            for kind in kinds {
                errors.entry(tools::name(kind).to_owned()).or_insert_with(|| doc_of(kind));
            }
            Node {
                name: tools::name(node).to_owned(),
                full_name: node.get("full_name").and_then(Value::as_str).unwrap_or_default().to_owned(),
                doc: doc_of(node),
                deprecated: node.get("deprecated").is_some_and(Value::is_object),
                inputs: fields(node, "input_schema", "inputs"),
                outputs: fields(node, "output_schema", "outputs"),
                errors: kinds.iter().map(|kind| tools::name(kind).to_owned()).collect(),
            }
        });
        let api_nodes: Vec<Node> = api_nodes.collect();
        Self {
            name: word("/contract/nodeset/name"),
            doc: word("/contract/nodeset/doc"),
            hash: word("/hash"),
            version: word("/version"),
            nodes: api_nodes,
            types,
            errors,
        }
    }

    /// Whether a value of this type holds something that JSON has no form of its own for.
    pub(crate) fn carries(&self, ty: &Type) -> bool {
        self.carries_within(ty, &mut Vec::new())
    }

    fn carries_within(&self, ty: &Type, within: &mut Vec<String>) -> bool {
        match ty {
            Type::Bytes | Type::Image | Type::Array => true,
            Type::List(inner) | Type::Map(inner) => self.carries_within(inner, within),
            Type::Tuple(all) | Type::Union(all) => all.iter().any(|ty| self.carries_within(ty, within)),
            Type::Object(fields) => fields.iter().any(|field| self.carries_within(&field.ty, within)),
            Type::Named(name) if !within.contains(name) => {
                within.push(name.clone());
                self.types.get(name).is_some_and(|named| self.carries_within(&named.ty, within))
            }
            _ => false,
        }
    }
}

/// The fields of a node's arguments or outputs; what has no schema has no value.
fn fields(node: &Value, schema: &str, list: &str) -> Vec<Field> {
    let declared = tools::entries(node, list);
    let is_config = |name: &str| {
        let field = declared.iter().find(|field| tools::name(field) == name);
        field.and_then(|field| field.get("config")).is_some_and(Value::is_object)
    };
    let object = node.get(schema).map(members).unwrap_or_default();
    object.into_iter().map(|field| Field { is_config: is_config(&field.name), ..field }).collect()
}

fn members(schema: &Value) -> Vec<Field> {
    let required = tools::entries(schema, "required");
    let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    properties
        .map(|(name, property)| Field {
            name: name.clone(),
            doc: doc(property),
            required: required.iter().any(|required| required == name),
            is_config: false,
            default: property.get("default").cloned(),
            ty: read(property),
        })
        .collect()
}

fn doc(schema: &Value) -> String {
    schema.get("description").and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn doc_of(declared: &Value) -> String {
    declared.get("doc").and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// A schema as a type.
fn read(schema: &Value) -> Type {
    let word = |key: &str| schema.get(key).and_then(Value::as_str);
    if let Some(reference) = word("$ref") {
        return Type::Named(reference.rsplit('/').next().unwrap_or(reference).to_owned());
    }
    if let Some(constant) = schema.get("const") {
        return Type::Values(vec![constant.clone()]);
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return Type::Values(values.clone());
    }
    if let Some(branches) = ["anyOf", "oneOf"].iter().find_map(|key| schema.get(*key).and_then(Value::as_array)) {
        return union(branches.iter().map(read).collect());
    }
    if let Some(types) = schema.get("type").and_then(Value::as_array) {
        let each = types.iter().map(|ty| {
            let mut one = schema.as_object().cloned().unwrap_or_default();
            one.insert("type".to_owned(), ty.clone());
            read(&Value::Object(one))
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
            Some(items) => Type::Tuple(items.iter().map(read).collect()),
            None => Type::List(Box::new(schema.get("items").map_or(Type::Anything, read))),
        },
        Some("object") => object(schema),
        _ => Type::Anything,
    }
}

fn object(schema: &Value) -> Type {
    if schema.pointer("/properties/__ndarray__").is_some() {
        return Type::Array;
    }
    let fields = members(schema);
    match schema.get("additionalProperties") {
        Some(rest @ Value::Object(_)) if fields.is_empty() => Type::Map(Box::new(read(rest))),
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
