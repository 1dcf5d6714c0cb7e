//! How the cases spell what JSON has no type for, and how answers of different faces become comparable.
//!
//! In a case, `"@cat.jpg"` is that photograph and `"0x00ff"` are bytes; an array is the marker that JSON has for it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use nodecast::wire::{DType, Image, Tensor, Value};
use serde_json::{Value as Json, json};

fn photograph(name: &str) -> Vec<u8> {
    std::fs::read(nodecast_tests::here("../fixtures/vision/photographs").join(name)).unwrap()
}

fn hex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect()
}

/// What a case spells, as JSON carries it.
pub(crate) fn as_json(spelled: &Json) -> Json {
    match spelled {
        Json::String(text) if text.starts_with('@') => STANDARD.encode(photograph(&text[1..])).into(),
        Json::String(text) if text.starts_with("0x") => STANDARD.encode(hex(&text[2..])).into(),
        Json::Array(items) => items.iter().map(as_json).collect(),
        Json::Object(members) => members.iter().map(|(name, value)| (name.clone(), as_json(value))).collect(),
        plain => plain.clone(),
    }
}

/// What a case spells, as msgpack carries it.
pub(crate) fn as_value(spelled: &Json) -> Value {
    match spelled {
        Json::String(text) if text.starts_with('@') => Image::decode(&photograph(&text[1..])).unwrap().into(),
        Json::String(text) if text.starts_with("0x") => Value::Bytes(hex(&text[2..]).into()),
        Json::Array(items) => Value::List(items.iter().map(as_value).collect()),
        Json::Object(members) if members.contains_key("__ndarray__") => array(spelled).into(),
        Json::Object(members) => {
            Value::Map(members.iter().map(|(name, value)| (name.as_str(), as_value(value))).collect())
        }
        plain => Value::from_json(plain.clone()).unwrap(),
    }
}

fn array(marker: &Json) -> Tensor {
    let dtype = match marker["dtype"].as_str().unwrap() {
        "uint8" => DType::UInt8,
        "float32" => DType::Float32,
        "float64" => DType::Float64,
        other => panic!("no case has {other}"),
    };
    let shape: Vec<usize> =
        marker["shape"].as_array().unwrap().iter().map(|extent| extent.as_u64().unwrap().try_into().unwrap()).collect();
    Tensor::new(dtype, shape, STANDARD.decode(marker["__ndarray__"].as_str().unwrap()).unwrap()).unwrap()
}

/// One form for what the regimes write differently: pictures as RGB, bytes as base64, keys of maps as text.
pub(crate) fn canonical(value: Value) -> Value {
    match value {
        Value::Text(text) if text.starts_with("iVBORw0KGgo") => Image::from_base64(&text).unwrap().into(),
        Value::Image(image) => rgb(&image.to_array().unwrap()),
        Value::Array(array) if array.dtype() == DType::UInt8 && array.shape().len() > 1 => rgb(&array),
        Value::Bytes(bytes) => STANDARD.encode(&*bytes).into(),
        Value::List(items) => Value::List(items.into_iter().map(canonical).collect()),
        Value::Map(map) => {
            let json = |key: &Value| key.as_text().map_or_else(|| key.to_string(), str::to_owned);
            let marker = map.contains_key("__ndarray__");
            if marker {
                return canonical(array(&Value::Map(map).to_json().unwrap()).into());
            }
            Value::Map(map.into_iter().map(|(key, value)| (json(&key), canonical(value))).collect())
        }
        plain => plain,
    }
}

fn rgb(array: &Tensor) -> Value {
    Image::from_array(array).unwrap().into()
}

/// The pictures that a port of this wire type shows.
pub(crate) fn pictures_of(wire_type: &str, output: &Value) -> Vec<Value> {
    match (wire_type, output) {
        ("IMAGE", Value::Image(_)) => vec![output.clone()],
        ("LIST[IMAGE]", Value::List(images)) => images.clone(),
        _ => Vec::new(),
    }
}

/// JSON as in a tool result: each array reduced to what it is, each picture named as one that is shown.
pub(crate) fn without_data(json: &Json, shown: &mut Vec<Value>) -> Json {
    match json {
        Json::Object(members) if members.contains_key("__ndarray__") => {
            json!({ "__ndarray__": "<omitted>", "dtype": members["dtype"], "shape": members["shape"] })
        }
        Json::String(text) if text.starts_with("iVBORw0KGgo") => {
            shown.push(canonical(Value::from(text.as_str())));
            format!("<image {} of this result>", shown.len()).into()
        }
        Json::Array(items) => items.iter().map(|item| without_data(item, shown)).collect(),
        Json::Object(members) => {
            members.iter().map(|(name, value)| (name.clone(), without_data(value, shown))).collect()
        }
        plain => plain.clone(),
    }
}

/// A tool result without the random addresses of what was left out, each of which must be one.
pub(crate) fn without_resources(json: Json) -> Json {
    match json {
        Json::Object(mut members) => {
            if members.contains_key("__ndarray__") {
                let address = members.shift_remove("resource").unwrap();
                assert!(address.as_str().unwrap().starts_with("nodecast://results/"), "{address}");
            }
            members.into_iter().map(|(name, member)| (name, without_resources(member))).collect()
        }
        Json::Array(items) => items.into_iter().map(without_resources).collect(),
        plain => plain,
    }
}
