//! What a schema expects, in a few words for a sentence.

use serde_json::Value as Json;

/// Such as `a string`, `an integer from 0 to 255` or `one of "up", "down"`; `a value` when the schema says no type.
pub fn expected(schema: &Json) -> String {
    if let Some(options) = schema.get("enum").and_then(Json::as_array) {
        let options: Vec<String> = options.iter().filter(|option| !option.is_null()).map(Json::to_string).collect();
        return format!("one of {}", options.join(", "));
    }
    let Some(ty) = kind(schema) else { return "a value".to_owned() };
    let what = match ty {
        "string" if schema.get("contentMediaType").is_some() => "a base64 PNG",
        "string" if schema.get("contentEncoding").is_some() => "a base64 string",
        "string" => "a string",
        "integer" => "an integer",
        "number" => "a number",
        "boolean" => "true or false",
        "array" => "an array",
        "object" => "an object",
        _ => "null",
    };
    let bound = |key| schema.get(key).and_then(Json::as_f64).filter(|bound| bound.abs() < 1e15);
    match (bound("minimum"), bound("maximum")) {
        (Some(min), Some(max)) => format!("{what} from {min} to {max}"),
        (Some(min), None) => format!("{what} of at least {min}"),
        (None, Some(max)) => format!("{what} of at most {max}"),
        (None, None) => what.to_owned(),
    }
}

/// The type of the schema, or of its first branch.
fn kind(schema: &Json) -> Option<&str> {
    match schema.get("type") {
        Some(Json::String(ty)) => Some(ty),
        Some(Json::Array(types)) => types.iter().filter_map(Json::as_str).find(|ty| *ty != "null"),
        _ => None,
    }
}
