//! Objects that are made of parts, as serde's `flatten` and a tag beside the fields of another type make them: a client
//! needs the fields of all parts, in each combination of their alternatives.

use serde_json::Value;

use super::model::{Field, Type};
use super::types::{Scope, members, union};
use crate::tools;

/// Combinations; a union of more is for nobody to read.
const MOST_FORMS: usize = 64;

/// Whether a schema says one object in several places.
pub(super) fn is_composed(schema: &Value) -> bool {
    let has = |key: &str| schema.get(key).is_some();
    let has_properties = schema.get("properties").and_then(Value::as_object).is_some_and(|own| !own.is_empty());
    let has_union = has("anyOf") || has("oneOf");
    has("allOf") || (has_properties && (has_union || has("$ref"))) || (has_union && has("$ref"))
}

/// The object that the parts are together; `None` where they are none.
pub(super) fn composed(schema: &Value, scope: &Scope<'_>) -> Option<Type> {
    let forms = forms(schema, scope, &mut Vec::new())?;
    let each = forms.into_iter().map(|fields| match fields.as_slice() {
        [] => Type::Map(Box::new(Type::Anything)),
        _ => Type::Object(fields),
    });
    Some(union(each.collect()))
}

/// The fields of each form that an object has; `within` are the definitions that are being looked at.
fn forms(schema: &Value, scope: &Scope<'_>, within: &mut Vec<String>) -> Option<Vec<Vec<Field>>> {
    let is_other = schema.get("type").is_some_and(|ty| ty != "object");
    if is_other || schema.get("const").is_some() || schema.get("enum").is_some() {
        return None;
    }
    let mut all = vec![members(schema, scope)];
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        let name = reference.rsplit('/').next().unwrap_or(reference);
        let definition = scope.definitions.get(name).filter(|_| !within.iter().any(|outer| outer == name))?;
        within.push(name.to_owned());
        let part = forms(definition, scope, within);
        within.pop();
        all = combined(&all, &part?)?;
    }
    for part in tools::entries(schema, "allOf") {
        all = combined(&all, &forms(part, scope, within)?)?;
    }
    for key in ["anyOf", "oneOf"] {
        // An object is not null.
        let is_null = |branch: &&Value| branch.get("type").is_some_and(|ty| ty == "null");
        let mut either = Vec::new();
        for branch in tools::entries(schema, key).iter().filter(|branch| !is_null(branch)) {
            either.extend(forms(branch, scope, within)?);
        }
        if !either.is_empty() {
            all = combined(&all, &either)?;
        }
    }
    Some(all)
}

/// Each with each, and each once.
fn combined(all: &[Vec<Field>], parts: &[Vec<Field>]) -> Option<Vec<Vec<Field>>> {
    let mut forms: Vec<Vec<Field>> = Vec::new();
    for one in all {
        for part in parts {
            let form = merged(one, part);
            if !forms.contains(&form) {
                forms.push(form);
            }
        }
    }
    (forms.len() <= MOST_FORMS).then_some(forms)
}

fn merged(one: &[Field], part: &[Field]) -> Vec<Field> {
    let mut fields = one.to_vec();
    for field in part {
        match fields.iter_mut().find(|known| known.name == field.name) {
            Some(known) => {
                known.required |= field.required;
                // A tag says more than the type of its text.
                if matches!(field.ty, Type::Values(_)) {
                    known.ty = field.ty.clone();
                }
            }
            None => fields.push(field.clone()),
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::model::{Api, Type};
    use super::super::{python, rust, ts};

    /// A nodeset whose only output is of this type.
    fn api(result: &Value, definitions: &Value) -> Api {
        let output =
            json!({"type": "object", "properties": {"result": result}, "required": ["result"], "$defs": definitions});
        let node = json!({"name": "a", "full_name": "n__a", "output_schema": output});
        Api::read(&json!({"contract": {"nodeset": {"name": "n"}, "nodes": [node]}}))
    }

    /// The names of the fields of each form.
    fn forms(ty: &Type) -> Vec<Vec<&str>> {
        match ty {
            Type::Object(fields) => vec![fields.iter().map(|field| field.name.as_str()).collect()],
            Type::Union(all) => all.iter().flat_map(forms).collect(),
            _ => Vec::new(),
        }
    }

    fn object(properties: &Value) -> Value {
        let required: Vec<&String> = properties.as_object().unwrap().keys().collect();
        json!({"type": "object", "properties": properties, "required": required})
    }

    #[test]
    fn parts_of_an_object_are_one_object() {
        let text = json!({"type": "string"});
        let page = object(&json!({"picture": {"type": "string", "contentMediaType": "image/png"}}));
        let tagged = |tag: &str| object(&json!({"kind": {"type": "string", "const": tag}}));
        let with = |mut schema: Value, key: &str, member: Value| {
            schema[key] = member;
            schema
        };
        // As serde's enums with a tag inside are published on their way out, and on their way in.
        let open = with(tagged("page"), "$ref", json!("#/$defs/Page"));
        let closed = with(with(tagged("page"), "allOf", json!([page])), "unevaluatedProperties", json!(false));
        let either = json!([tagged("one"), with(tagged("two"), "$ref", json!("#/$defs/Page"))]);
        let flattened = with(object(&json!({"name": text})), "oneOf", either);
        let [a, b] = ["a", "b"].map(|name| object(&json!({ name: text })));
        let perhaps = json!({"type": "object", "allOf": [{"anyOf": [a, {}]}, b]});
        for (schema, expected) in [
            (open, vec![vec!["kind", "picture"]]),
            (closed, vec![vec!["kind", "picture"]]),
            (flattened.clone(), vec![vec!["name", "kind"], vec!["name", "kind", "picture"]]),
            // As an enum that is flattened and may be left out.
            (perhaps, vec![vec!["a", "b"], vec!["b"]]),
            // What only asks for names has no fields of its own.
            (
                with(object(&json!({"name": text})), "anyOf", json!([{"required": ["name"]}, {"required": []}])),
                vec![vec!["name"]],
            ),
        ] {
            let api = api(&schema, &json!({ "Page": page }));
            assert_eq!(forms(&api.nodes[0].outputs[0].ty), expected, "{schema}");
        }
        let api = api(&flattened, &json!({ "Page": page }));
        assert!(python::module(&api).contains(r#".get("kind") == "two""#), "{}", python::module(&api));
        assert!(ts::module(&api).contains("kind: \"two\";"), "{}", ts::module(&api));
        assert!(rust::module(&api).contains("pub picture: Bytes,"), "{}", rust::module(&api));
    }

    /// What is no object, or leads into itself, is read as before.
    #[test]
    fn what_is_no_object_is_not_made_one() {
        let words = json!({"enum": ["a", "b"]});
        let of = |schema: &Value, definitions: &Value| api(schema, definitions).nodes[0].outputs[0].ty.clone();
        let named = of(&json!({"allOf": [{"$ref": "#/$defs/Word"}], "description": "D."}), &json!({ "Word": words }));
        assert_eq!(named, Type::Named("Word".to_owned()));
        let within = json!({"type": "object", "properties": {"a": words}, "allOf": [{"$ref": "#/$defs/Loop"}]});
        assert_eq!(of(&json!({"$ref": "#/$defs/Loop"}), &json!({ "Loop": within })), Type::Named("Loop".to_owned()));
    }
}
