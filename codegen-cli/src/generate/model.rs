//! What a client needs to know of a contract, in the terms of programming languages instead of those of JSON Schema.

use std::collections::{BTreeMap, BTreeSet};

use heck::ToUpperCamelCase;
use serde_json::Value;

use super::types::{Types, Way};
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
    /// Whether the answer is one value by itself instead of outputs by name.
    pub(crate) is_whole: bool,
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
        // What MCP alone has is on no route of calls.
        let nodes: Vec<Value> = nodes.iter().filter(|node| node.get("mcp_only").is_none()).cloned().collect();
        let name = word("/contract/nodeset/name");
        let mut errors = BTreeMap::new();
        for kind in nodes.iter().flat_map(|node| tools::entries(node, "errors")) {
            errors.entry(tools::name(kind).to_owned()).or_insert_with(|| doc_of(kind));
        }
        let mut types = Types::new(&nodes, reserved(&name, &nodes, &errors));
        let nodes = nodes.iter().map(|node| Node {
            name: tools::name(node).to_owned(),
            full_name: node.get("full_name").and_then(Value::as_str).unwrap_or_default().to_owned(),
            doc: doc_of(node),
            deprecated: node.get("deprecated").is_some_and(Value::is_object),
            is_whole: node.get("result").is_some_and(|result| result == "fire_list"),
            inputs: fields(node, "inputs", types.members(schema(node, "input_schema"), Way::In)),
            outputs: fields(node, "outputs", types.members(schema(node, "output_schema"), Way::Out)),
            errors: tools::entries(node, "errors").iter().map(|kind| tools::name(kind).to_owned()).collect(),
        });
        let nodes = nodes.collect();
        Self {
            name,
            doc: word("/contract/nodeset/doc"),
            hash: word("/hash"),
            version: word("/version"),
            nodes,
            types: types.named,
            errors,
        }
    }

    /// Whether a value of this type holds something that JSON has no form of its own for.
    pub(crate) fn carries(&self, ty: &Type) -> bool {
        self.holds(ty, &|ty| matches!(ty, Type::Bytes | Type::Image | Type::Array))
    }

    /// The names of all nodes and fields.
    pub(crate) fn names(&self) -> BTreeSet<&str> {
        let mut names: BTreeSet<&str> = self.nodes.iter().map(|node| node.name.as_str()).collect();
        let of_nodes = self.nodes.iter().flat_map(|node| [&node.inputs, &node.outputs]);
        of_nodes.for_each(|fields| names_of(fields, &mut names));
        self.types.values().for_each(|named| names_in(&named.ty, &mut names));
        names
    }

    /// Whether any client needs arrays.
    pub(crate) fn has_arrays(&self) -> bool {
        let fields = self.nodes.iter().flat_map(|node| node.inputs.iter().chain(&node.outputs));
        fields.into_iter().any(|field| self.holds(&field.ty, &|ty| *ty == Type::Array))
    }

    /// Whether a type is in itself without a list or a map between, so that it is larger than any memory.
    pub(crate) fn is_endless(&self, name: &str) -> bool {
        self.reaches_itself(name, inline)
    }

    /// Whether a type is in itself, at whatever depth.
    pub(crate) fn is_recursive(&self, name: &str) -> bool {
        self.reaches_itself(name, referred)
    }

    fn reaches_itself<'a>(&'a self, name: &'a str, parts: fn(&'a Type, &mut Vec<&'a str>)) -> bool {
        let (mut left, mut seen) = (vec![name], BTreeSet::new());
        while let Some(next) = left.pop() {
            let Some(named) = self.types.get(next) else { continue };
            let mut reached = Vec::new();
            parts(&named.ty, &mut reached);
            if reached.contains(&name) {
                return true;
            }
            left.extend(reached.into_iter().filter(|name| seen.insert(*name)));
        }
        false
    }

    /// Whether anything holds of a type or of one inside it.
    fn holds(&self, ty: &Type, what: &dyn Fn(&Type) -> bool) -> bool {
        self.holds_within(ty, what, &mut BTreeSet::new())
    }

    fn holds_within<'a>(&'a self, ty: &'a Type, what: &dyn Fn(&Type) -> bool, seen: &mut BTreeSet<&'a str>) -> bool {
        what(ty)
            || match ty {
                Type::List(inner) | Type::Map(inner) => self.holds_within(inner, what, seen),
                Type::Tuple(all) | Type::Union(all) => all.iter().any(|ty| self.holds_within(ty, what, seen)),
                Type::Object(fields) => fields.iter().any(|field| self.holds_within(&field.ty, what, seen)),
                Type::Named(name) => {
                    let named = self.types.get(name).filter(|_| seen.insert(name));
                    named.is_some_and(|named| self.holds_within(&named.ty, what, seen))
                }
                _ => false,
            }
    }
}

fn names_of<'a>(fields: &'a [Field], names: &mut BTreeSet<&'a str>) {
    for field in fields {
        names.insert(&field.name);
        names_in(&field.ty, names);
    }
}

fn names_in<'a>(ty: &'a Type, names: &mut BTreeSet<&'a str>) {
    match ty {
        Type::List(inner) | Type::Map(inner) => names_in(inner, names),
        Type::Tuple(all) | Type::Union(all) => all.iter().for_each(|ty| names_in(ty, names)),
        Type::Object(fields) => names_of(fields, names),
        _ => {}
    }
}

/// The names of the types that a type holds as a part of itself.
fn inline<'a>(ty: &'a Type, names: &mut Vec<&'a str>) {
    match ty {
        Type::Named(name) => names.push(name),
        Type::Tuple(all) | Type::Union(all) => all.iter().for_each(|ty| inline(ty, names)),
        Type::Object(fields) => fields.iter().for_each(|field| inline(&field.ty, names)),
        _ => {}
    }
}

/// The names of all types that a type refers to.
pub(super) fn referred<'a>(ty: &'a Type, names: &mut Vec<&'a str>) {
    match ty {
        Type::Named(name) => names.push(name),
        Type::List(inner) | Type::Map(inner) => referred(inner, names),
        Type::Tuple(all) | Type::Union(all) => all.iter().for_each(|ty| referred(ty, names)),
        Type::Object(fields) => fields.iter().for_each(|field| referred(&field.ty, names)),
        _ => {}
    }
}

/// Names that every client has for what is no type of a schema.
fn reserved(nodeset: &str, nodes: &[Value], errors: &BTreeMap<String, String>) -> BTreeSet<String> {
    let of_nodes = nodes.iter().flat_map(|node| {
        let class = tools::name(node).to_upper_camel_case();
        [format!("{class}Arguments"), format!("{class}Outputs")]
    });
    let of_errors = errors.keys().map(|kind| error_class(kind));
    of_nodes.chain(of_errors).chain([nodeset.to_upper_camel_case()]).collect()
}

/// The class of a kind of error.
pub(crate) fn error_class(kind: &str) -> String {
    match format!("{}Error", kind.trim_end_matches("_error").to_upper_camel_case()) {
        // What the clients themselves throw or catch.
        class if ["NodeError", "TypeError", "ValueError"].contains(&class.as_str()) => format!("Declared{class}"),
        class => class,
    }
}

/// A list of pictures as `/call` sends it: frameworks take arrays apart there, and leave texts alone (`wire.md` 4).
fn as_arrays(ty: Type) -> Type {
    match ty {
        Type::Image => Type::Array,
        Type::List(inner) => Type::List(Box::new(as_arrays(*inner))),
        Type::Union(all) => Type::Union(all.into_iter().map(as_arrays).collect()),
        ty => ty,
    }
}

/// What has no schema has no value.
fn schema<'a>(node: &'a Value, key: &str) -> &'a Value {
    node.get(key).unwrap_or(&Value::Null)
}

/// The fields of a node's arguments or outputs, with what is declared of each.
fn fields(node: &Value, list: &str, fields: Vec<Field>) -> Vec<Field> {
    let declared = tools::entries(node, list);
    let is_config = |name: &str| {
        let field = declared.iter().find(|field| tools::name(field) == name);
        field.and_then(|field| field.get("config")).is_some_and(Value::is_object)
    };
    let is_pictures = |name: &str| {
        let field = declared.iter().find(|field| tools::name(field) == name);
        list == "outputs" && field.and_then(|field| field.get("wire_type")).is_some_and(|ty| ty == "LIST[IMAGE]")
    };
    let own = |field: Field| Field {
        is_config: is_config(&field.name),
        ty: if is_pictures(&field.name) { as_arrays(field.ty) } else { field.ty },
        ..field
    };
    let mut fields: Vec<Field> = fields.into_iter().map(own).collect();
    // In declared order, which a canonical document does not keep.
    let place = |field: &Field| declared.iter().position(|known| tools::name(known) == field.name);
    fields.sort_by_key(|field| place(field).unwrap_or(declared.len()));
    fields
}

fn doc_of(declared: &Value) -> String {
    declared.get("doc").and_then(Value::as_str).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Api, Type};

    fn object(properties: &Value) -> Value {
        json!({"type": "object", "properties": properties, "required": properties.as_object().unwrap().keys().collect::<Vec<_>>()})
    }

    /// Two crates may each have a type of one name, and one type may be another on its way out.
    #[test]
    fn a_name_is_one_type() {
        let node = |name: &str, input: Value, output: Value| {
            let document = |definition: Value| {
                let mut document = object(&json!({"a": {"$ref": "#/$defs/Page"}}));
                document["$defs"] = json!({ "Page": definition });
                document
            };
            json!({"name": name, "full_name": format!("n__{name}"), "input_schema": document(input), "output_schema": document(output)})
        };
        let text = object(&json!({"text": {"type": "string"}}));
        let picture = object(&json!({"picture": {"type": "string", "contentMediaType": "image/png"}}));
        let nodes = [
            node("one", text.clone(), text.clone()),
            node("two", text.clone(), picture),
            node("three", object(&json!({})), text),
        ];
        let api = Api::read(&json!({"contract": {"nodeset": {"name": "n"}, "nodes": nodes}}));
        let of = |node: usize| [&api.nodes[node].inputs[0].ty, &api.nodes[node].outputs[0].ty];
        let named = |name: &str| Type::Named(name.to_owned());
        assert_eq!(of(0), [&named("Page"), &named("Page")]);
        assert_eq!(of(1), [&named("Page"), &named("PageOutput")]);
        assert_eq!(of(2), [&named("Page2"), &named("Page")]);
        assert!(api.carries(of(1)[1]) && !api.carries(of(1)[0]));
    }

    #[test]
    fn a_type_in_itself_is_found() {
        let mut document = object(&json!({"a": {"$ref": "#/$defs/Tree"}, "b": {"$ref": "#/$defs/List"}}));
        document["$defs"] = json!({
            "Tree": object(&json!({"kids": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}})),
            "List": object(&json!({"rest": {"anyOf": [{"$ref": "#/$defs/List"}, {"type": "null"}]}})),
        });
        let node = json!({"name": "a", "full_name": "n__a", "input_schema": document});
        let api = Api::read(&json!({"contract": {"nodeset": {"name": "n"}, "nodes": [node]}}));
        assert!(api.is_endless("List") && !api.is_endless("Tree"));
    }
}
