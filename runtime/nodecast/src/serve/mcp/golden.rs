//! The vectors of the reference implementation that are about MCP (`tests/vectors`), where ours is the same and where
//! it is better on purpose (`mcp.md` 3).

use std::borrow::Cow;

use rmcp::model::CallToolResult;
use serde_json::{Value as Json, json};

use super::content;
use super::published::Filter;
use crate::call::Reply;
use crate::catalog::{Entry, Field};
use crate::decl::{Hints, JsonForm, OutputShape};
use crate::schema::SchemaSource;
use crate::serve::kept::Kept;
use crate::wire::{Image, Value};

fn vectors(key: &str) -> Vec<Json> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors/golden_mapping_vectors.json");
    let vectors: Json = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    vectors[key].as_array().unwrap().clone()
}

/// A list that names something keeps what the reference keeps; one that names nothing is an error at start, and empty
/// items are dropped.
#[test]
fn golden_select_functions() {
    for vector in vectors("select_functions") {
        let texts = |key: &str| -> Vec<String> {
            let names = vector[key].as_array().into_iter().flatten();
            names.filter_map(Json::as_str).filter(|name| !name.is_empty()).map(str::to_owned).collect()
        };
        let (names, kept) = (texts("names"), texts("kept"));
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let list = vector["allow"].as_array().map(|_| texts("allow").join(", "));
        match Filter::of_names(list.as_deref(), &names) {
            Ok(filter) => {
                let lets: Vec<&str> = names.iter().copied().filter(|name| filter.lets(name)).collect();
                assert_eq!(lets, kept, "{vector}");
            }
            // Nothing named at all means everything to the reference.
            Err(_) if list.as_deref() == Some("") => {}
            Err(_) => assert!(kept.is_empty(), "{vector}"),
        }
    }
}

/// The blocks of each result: what they are, and what the texts say.
#[tokio::test]
async fn golden_outputs_to_content() {
    let keeper = content::Keeper { kept: &Kept::default(), principal: None };
    for vector in vectors("outputs_to_content") {
        let sent = vector["outputs"].as_object().unwrap();
        // Only what is declared can be returned, and all of it, so the ports are those that have a value.
        let ports: Vec<&Json> = vector["output_ports"].as_array().unwrap().iter().collect();
        let ports: Vec<_> =
            ports.into_iter().filter(|port| sent.contains_key(port["name"].as_str().unwrap())).collect();
        let values = ports.iter().map(|port| {
            let value = &sent[port["name"].as_str().unwrap()];
            returned(value, port["wire_type"].as_str().unwrap())
        });
        let reply = Reply::from_values(values.collect());
        let result = CallToolResult::from(content::success(&entry(&ports), reply, keeper).unwrap());
        let blocks: Vec<Json> = result.content.iter().map(|block| serde_json::to_value(block).unwrap()).collect();
        let expected = vector["content"].as_array().unwrap();
        if sent.keys().next().is_some_and(|name| name == "strip") {
            // Better: pictures in a list are pictures. What no declaration can hold is not in the result.
            assert_eq!(kinds(&blocks), ["image"]);
        } else {
            // Better: a picture port that has no picture says so and shows no text block that looks like one.
            assert_eq!(kinds(&blocks), kinds(expected), "{vector}");
            // Better: a stub says where its data is.
            let text = |blocks: &[Json]| blocks.last().and_then(|block| block["text"].as_str().map(parsed));
            assert_eq!(text(&blocks), text(expected), "{vector}");
        }
    }
}

fn kinds(blocks: &[Json]) -> Vec<&str> {
    blocks.iter().map(|block| block["type"].as_str().unwrap()).collect()
}

fn parsed(text: &str) -> Json {
    without_resources(serde_json::from_str(text).unwrap())
}

fn without_resources(json: Json) -> Json {
    match json {
        Json::Object(mut members) => {
            if members.contains_key("__ndarray__") {
                members.shift_remove("resource");
            }
            members.into_iter().map(|(name, member)| (name, without_resources(member))).collect()
        }
        Json::Array(items) => items.into_iter().map(without_resources).collect(),
        other => other,
    }
}

/// The value that a node of ours returns for one of the vectors': any text on a picture port is a picture.
fn returned(value: &Json, wire_type: &str) -> Value {
    let picture = || Value::Image(Image::rgb8(1, 1, vec![0, 0, 0]).unwrap());
    match (wire_type, value) {
        ("IMAGE", Json::String(_)) => picture(),
        ("LIST[IMAGE]", Json::Array(_)) => Value::List(vec![picture()]),
        (_, value) => arrays(value),
    }
}

/// Markers as the arrays that they stand for.
fn arrays(value: &Json) -> Value {
    match value {
        Json::Object(members) if members.contains_key("__ndarray__") => {
            let mut marker = members.clone();
            marker.shift_remove("note");
            let tensor: crate::Tensor = serde_json::from_value(Json::Object(marker)).unwrap();
            crate::wire::to_value(&tensor).unwrap()
        }
        Json::Object(members) => {
            Value::Map(members.iter().map(|(key, member)| (key.clone(), arrays(member))).collect())
        }
        Json::Array(items) => Value::List(items.iter().map(arrays).collect()),
        other => Value::from(other.clone()),
    }
}

fn entry(ports: &[&Json]) -> Entry {
    let text = |port: &Json, key: &str| Cow::Owned(port[key].as_str().unwrap().to_owned());
    let field = |port: &&Json| Field {
        name: text(port, "name"),
        title: None,
        doc: Cow::Borrowed(""),
        wire_type: text(port, "wire_type"),
        optional: false,
        form: JsonForm::PLAIN,
        header: None,
        deprecated: None,
        display: None,
        shows_images: matches!(port["wire_type"].as_str(), Some("IMAGE" | "LIST[IMAGE]")),
        full_size: false,
        config: None,
        checked: json!({}),
        checked_json: None,
    };
    Entry {
        name: "f".into(),
        full_name: "f".into(),
        title: None,
        doc: "".into(),
        hints: Hints::NONE,
        unstable: false,
        deprecated: None,
        batched: None,
        task: None,
        waits: false,
        fallback: false,
        mcp_only: false,
        icons: Vec::new(),
        meta: serde_json::Map::new(),
        shape: OutputShape::Ports,
        inputs: Vec::new(),
        outputs: ports.iter().map(field).collect(),
        errors: Cow::Borrowed(&[]),
        input_schema: json!({}),
        schema_source: SchemaSource::Types,
        output_schema: json!({}),
        source: None,
    }
}
