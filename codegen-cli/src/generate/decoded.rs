//! What came in JSON as what its type says: one walk over a type, in the words of a language. (In Rust, serde does it.)

use std::collections::BTreeSet;

use serde_json::Value;

use super::model::{Api, Field, Type};

/// Expressions of a language. `value` is always one too.
pub(super) trait Words {
    /// The bytes of a text in base64.
    fn bytes(&self, value: &str) -> String;
    /// The array of a marker.
    fn array(&self, value: &str) -> String;
    /// A list with `made` of each `item`.
    fn list(&self, value: &str, made: &str) -> String;
    /// A map with `made` of each value, called `item`.
    fn map(&self, value: &str, made: &str) -> String;
    /// A list of these.
    fn tuple(&self, items: &[String]) -> String;
    /// The object with these members made anew.
    fn object(&self, value: &str, members: &[Member<'_>]) -> String;
    /// The member of a list.
    fn item(&self, value: &str, index: usize) -> String;
    /// The member of an object.
    fn member(&self, value: &str, name: &str) -> String;
    /// What the decoder of a type with a name makes.
    fn named(&self, name: &str, value: &str) -> String;
    /// Whether the value is of this form.
    fn test(&self, value: &str, form: &Form<'_>) -> String;
    /// One or the other.
    fn choice(&self, test: &str, then: &str, otherwise: &str) -> String;
}

/// A member that is made anew.
pub(super) struct Member<'a> {
    pub(super) name: &'a str,
    pub(super) is_required: bool,
    pub(super) made: String,
}

/// What tells one alternative from the others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Form<'a> {
    Text,
    List,
    Object,
    /// An array's marker.
    Array,
    /// An object with this value of a member.
    Tagged(&'a str, &'a Value),
    /// An object with this member.
    Having(&'a str),
}

/// The expression that makes of `value` what the type says.
pub(super) fn decoded(api: &Api, words: &dyn Words, ty: &Type, value: &str) -> String {
    if !api.carries(ty) {
        return value.to_owned();
    }
    match ty {
        Type::Bytes | Type::Image => words.bytes(value),
        Type::Array => words.array(value),
        Type::List(inner) => words.list(value, &decoded(api, words, inner, "item")),
        Type::Map(inner) => words.map(value, &decoded(api, words, inner, "item")),
        Type::Tuple(all) => {
            let items = all.iter().enumerate().map(|(index, ty)| decoded(api, words, ty, &words.item(value, index)));
            words.tuple(&items.collect::<Vec<_>>())
        }
        Type::Object(fields) => {
            let carrying = fields.iter().filter(|field| api.carries(&field.ty));
            let members = carrying.map(|field| Member {
                name: &field.name,
                is_required: field.required,
                made: decoded(api, words, &field.ty, &words.member(value, &field.name)),
            });
            words.object(value, &members.collect::<Vec<_>>())
        }
        Type::Union(all) => alternatives(api, words, all, value),
        Type::Named(name) => words.named(name, value),
        Type::Anything | Type::Null | Type::Bool | Type::Integer | Type::Number | Type::Text | Type::Values(_) => {
            value.to_owned()
        }
    }
}

/// What came is told by its form; what carries nothing stays as it is.
fn alternatives(api: &Api, words: &dyn Words, all: &[Type], value: &str) -> String {
    let forms: Vec<Vec<Form<'_>>> = all.iter().map(|ty| forms(api, ty, all, &mut BTreeSet::new())).collect();
    // Two that look alike cannot be told apart, such as a text and a picture in base64.
    let is_alone = |form: &Form<'_>| forms.iter().flatten().filter(|other| *other == form).count() == 1;
    let mut choices = Vec::new();
    for (ty, own) in all.iter().zip(&forms).filter(|(ty, _)| api.carries(ty)) {
        choices.extend(own.iter().filter(|form| is_alone(form)).map(|form| (form, ty)));
    }
    // Any object is asked for last.
    choices.sort_by_key(|(form, _)| **form == Form::Object);
    choices.into_iter().rev().fold(value.to_owned(), |otherwise, (form, ty)| {
        words.choice(&words.test(value, form), &decoded(api, words, ty, value), &otherwise)
    })
}

/// The forms that a type has among these alternatives.
fn forms<'a>(api: &'a Api, ty: &'a Type, among: &'a [Type], seen: &mut BTreeSet<&'a str>) -> Vec<Form<'a>> {
    match ty {
        Type::Text | Type::Bytes | Type::Image => vec![Form::Text],
        Type::Values(values) if values.iter().any(Value::is_string) => vec![Form::Text],
        Type::List(_) | Type::Tuple(_) => vec![Form::List],
        Type::Array => vec![Form::Array],
        Type::Map(_) => vec![Form::Object],
        Type::Object(fields) => object(api, fields, among).into_iter().collect(),
        Type::Union(all) => all.iter().flat_map(|ty| forms(api, ty, among, seen)).collect(),
        Type::Named(name) if seen.insert(name) => {
            api.types.get(name).map(|named| forms(api, &named.ty, among, seen)).unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

/// By its tag, by a member that it alone has, or by being the only object.
fn object<'a>(api: &'a Api, fields: &'a [Field], among: &'a [Type]) -> Option<Form<'a>> {
    let tag = fields.iter().find_map(|field| match &field.ty {
        Type::Values(values) if field.required => match values.as_slice() {
            [only] => Some(Form::Tagged(&field.name, only)),
            _ => None,
        },
        _ => None,
    });
    let others: Vec<&[Field]> =
        among.iter().filter_map(|ty| fields_of(api, ty)).filter(|other| *other != fields).collect();
    let has = |others: &[Field], name: &str| others.iter().any(|field| field.name == name);
    let own = |field: &&Field| field.required && !others.iter().any(|others| has(others, &field.name));
    let having = || fields.iter().find(own).map(|field| Form::Having(&field.name));
    tag.or_else(|| if others.is_empty() { Some(Form::Object) } else { having() })
}

fn fields_of<'a>(api: &'a Api, ty: &'a Type) -> Option<&'a [Field]> {
    match ty {
        Type::Object(fields) => Some(fields),
        // One step: a chain of names is one that schemas do not make.
        Type::Named(name) => match &api.types.get(name)?.ty {
            Type::Object(fields) => Some(fields),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::model::Api;
    use super::super::{python, ts};

    /// A nodeset whose only output is of this type.
    fn api(result: &serde_json::Value) -> Api {
        let output = json!({"type": "object", "properties": {"result": result}, "required": ["result"]});
        let node = json!({"name": "a", "full_name": "n__a", "output_schema": output});
        Api::read(&json!({"contract": {"nodeset": {"name": "n"}, "nodes": [node]}}))
    }

    #[test]
    fn what_came_is_told_by_its_form() {
        let picture = json!({"type": "string", "contentMediaType": "image/png"});
        let variant = |tag: &str, of: &serde_json::Value| json!({"type": "object", "properties": {"kind": {"const": tag}, "of": of}, "required": ["kind", "of"]});
        let tagged = json!({"oneOf": [variant("seen", &picture), variant("told", &json!({"type": "string"}))]});
        for (schema, in_python, in_ts) in [
            (
                json!({"anyOf": [picture, {"type": "null"}]}),
                r#"(base64.b64decode(outputs["result"]) if isinstance(outputs["result"], str) else outputs["result"])"#,
                r#"(typeof outputs["result"] === "string" ? bytes(outputs["result"]) : outputs["result"])"#,
            ),
            (tagged, r#"outputs["result"].get("kind") == "seen""#, r#"outputs["result"]?.["kind"] === "seen""#),
        ] {
            let api = api(&schema);
            let (python, ts) = (python::module(&api), ts::module(&api));
            assert!(python.contains(in_python), "{python}");
            assert!(ts.contains(in_ts), "{ts}");
        }
        // A parameter of that name hides the type.
        let mut output = json!({"name": "a", "full_name": "n__a"});
        let object = |name: &str, schema: &serde_json::Value| json!({"type": "object", "properties": {name: schema}, "required": [name]});
        output["input_schema"] = object("str", &json!({"type": "string"}));
        output["output_schema"] = object("result", &json!({"anyOf": [picture, {"type": "null"}]}));
        let hidden = python::module(&Api::read(&json!({"contract": {"nodeset": {"name": "n"}, "nodes": [output]}})));
        assert!(hidden.contains(r#"if isinstance(outputs["result"], builtins.str) else"#), "{hidden}");
        // A text or a picture: nobody knows.
        let unknown = python::module(&api(&json!({"anyOf": [picture, {"type": "string"}]})));
        assert!(
            unknown.contains("return cast(\"AOutputs\", {**outputs, \"result\": outputs[\"result\"]})"),
            "{unknown}"
        );
    }
}
