//! The profile `reference`: what the reference implementation publishes for a function (`wire.md` 1.2).
//!
//! A pure function of one element of a manifest's `functions`, so that it is the same for any manifest, ours or not. It
//! knows nothing of the catalog. Key order is part of the result.

use serde_json::{Map, Value as Json, json};

use super::Tool;
use crate::decl::Widget;

/// The tool of one function of a manifest; what the function leaves out has its default.
pub fn tool(function: &Json) -> Tool {
    Tool {
        name: text(function, "name").to_owned(),
        title: None,
        description: Some(text(function, "description").to_owned()),
        input_schema: input_schema(function),
        output_schema: None,
        annotations: None,
        icons: Vec::new(),
        meta: Map::new(),
    }
}

fn input_schema(function: &Json) -> Map<String, Json> {
    let mut properties = Map::new();
    let fields = function.get("ui_config").map(|ui| list(ui, "config_fields")).unwrap_or_default();
    for field in fields.iter().filter(|field| text(field, "field_type") != Widget::Label.as_str()) {
        add(&mut properties, field, config_field(field));
    }
    let ports = list(function, "input_ports");
    for port in ports {
        // In the place of a config field of the same name, where there is one.
        add(&mut properties, port, self::port(port));
    }
    let is_required = |port: &&Json| port.get("optional") != Some(&Json::Bool(true)) && !text(port, "name").is_empty();
    let required: Vec<Json> = ports.iter().filter(is_required).map(|port| text(port, "name").into()).collect();
    let mut schema = Map::new();
    schema.insert("type".to_owned(), "object".into());
    schema.insert("properties".to_owned(), properties.into());
    if !required.is_empty() {
        schema.insert("required".to_owned(), required.into());
    }
    schema
}

fn add(properties: &mut Map<String, Json>, declared: &Json, schema: Map<String, Json>) {
    let name = text(declared, "name");
    if !name.is_empty() {
        properties.insert(name.to_owned(), schema.into());
    }
}

fn port(port: &Json) -> Map<String, Json> {
    let mut schema = Map::new();
    let ty = match text(port, "wire_type") {
        "TEXT" | "IMAGE" => Some("string"),
        "BOOL" => Some("boolean"),
        "ACTION" => Some("integer"),
        "METRICS" => Some("object"),
        _ => None,
    };
    insert_some(&mut schema, "type", ty.map(Json::from));
    describe(&mut schema, text(port, "description"));
    schema
}

fn config_field(field: &Json) -> Map<String, Json> {
    let mut schema = Map::new();
    let given = |key: &str| field.get(key).filter(|value| !value.is_null()).cloned();
    match text(field, "field_type") {
        "select" => {
            let values = list(field, "options").iter().map(|option| option.get("value").cloned().unwrap_or_default());
            schema.insert("enum".to_owned(), values.collect());
        }
        "slider" => {
            schema.insert("type".to_owned(), "number".into());
            for (keyword, key) in [("minimum", "min"), ("maximum", "max"), ("multipleOf", "step")] {
                insert_some(&mut schema, keyword, given(key));
            }
        }
        "toggle" => {
            schema.insert("type".to_owned(), "boolean".into());
        }
        _ => {
            schema.insert("type".to_owned(), guessed(field.get("default")).into());
        }
    }
    insert_some(&mut schema, "default", given("default"));
    describe(&mut schema, text(field, "label"));
    schema
}

/// The type of a field that does not say it, by its default.
fn guessed(default: Option<&Json>) -> &'static str {
    match default {
        Some(Json::Bool(_)) => "boolean",
        // With a point it is a float, whole or not.
        Some(Json::Number(number)) if number.is_f64() => "number",
        Some(Json::Number(_)) => "integer",
        _ => "string",
    }
}

fn describe(schema: &mut Map<String, Json>, text: &str) {
    insert_some(schema, "description", Some(text).filter(|text| !text.is_empty()).map(|text| json!(text)));
}

fn insert_some(schema: &mut Map<String, Json>, keyword: &str, value: Option<Json>) {
    if let Some(value) = value {
        schema.insert(keyword.to_owned(), value);
    }
}

fn text<'a>(object: &'a Json, key: &str) -> &'a str {
    object.get(key).and_then(Json::as_str).unwrap_or_default()
}

fn list<'a>(object: &'a Json, key: &str) -> &'a [Json] {
    object.get(key).and_then(Json::as_array).map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::tool;

    /// The clauses of `wire.md` 1.2 one by one, to the byte.
    #[test]
    fn each_clause_of_the_coarse_schema() {
        let field = |field: serde_json::Value| {
            let function = json!({"name": "f", "ui_config": {"config_fields": [field]}});
            serde_json::to_string(&tool(&function).input_schema["properties"]).unwrap()
        };
        let cases = [
            (json!({"name": "a", "field_type": "select"}), r#"{"a":{"enum":[]}}"#),
            (
                json!({"name": "a", "field_type": "select", "options": [{"value": 1}, {"value": null}], "default": 1}),
                r#"{"a":{"enum":[1,null],"default":1}}"#,
            ),
            (
                json!({"name": "a", "field_type": "slider", "min": 0.0, "max": null, "step": 1.0, "default": 1}),
                r#"{"a":{"type":"number","minimum":0.0,"multipleOf":1.0,"default":1}}"#,
            ),
            (
                json!({"name": "a", "field_type": "toggle", "default": false, "label": "A"}),
                r#"{"a":{"type":"boolean","default":false,"description":"A"}}"#,
            ),
            (
                json!({"name": "a", "field_type": "number", "default": 1.0, "min": 0.0, "options": [{"value": 1}]}),
                r#"{"a":{"type":"number","default":1.0}}"#,
            ),
            (json!({"name": "a", "field_type": "number", "default": 1}), r#"{"a":{"type":"integer","default":1}}"#),
            (json!({"name": "a", "field_type": "number"}), r#"{"a":{"type":"string"}}"#),
            (
                json!({"name": "a", "field_type": "textarea", "default": true}),
                r#"{"a":{"type":"boolean","default":true}}"#,
            ),
            (
                json!({"name": "a", "field_type": "colour", "default": ["x"]}),
                r#"{"a":{"type":"string","default":["x"]}}"#,
            ),
            (json!({"name": "a", "default": ""}), r#"{"a":{"type":"string","default":""}}"#),
            (json!({"name": "", "field_type": "toggle"}), "{}"),
            (json!({"name": "a", "field_type": "label", "default": 1}), "{}"),
        ];
        for (declared, schema) in cases {
            assert_eq!(field(declared.clone()), schema, "{declared}");
        }
    }

    #[test]
    fn a_port_stands_in_the_place_of_a_field_of_its_name() {
        let function = json!({
            "name": "f",
            "input_ports": [{"name": "x", "wire_type": "LIST[TEXT]"}, {"name": "a", "wire_type": "METRICS", "optional": true}],
            "ui_config": {"config_fields": [{"name": "a", "default": 1}, {"name": "b", "field_type": "toggle"}]},
        });
        assert_eq!(
            serde_json::to_string(&tool(&function).to_json()).unwrap(),
            r#"{"name":"f","description":"","inputSchema":{"type":"object","properties":{"a":{"type":"object"},"b":{"type":"boolean"},"x":{}},"required":["x"]}}"#
        );
    }
}
