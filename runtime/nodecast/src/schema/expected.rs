//! What a schema expects, in a few words for a sentence.

use serde_json::Value as Json;

use super::inline::resolve;
use crate::wire::X_INTEGER;

/// Such as `a string`, `an integer from 0 to 255` or `one of "up", "down"`; `a value` when the schema says no type.
pub fn expected(schema: &Json) -> String {
    // A type with a name stands among the definitions. References within it are not followed, they may go in a circle.
    match schema.get("$defs").and_then(Json::as_object) {
        Some(definitions) => in_words(resolve(schema, definitions)),
        None => in_words(schema),
    }
}

fn in_words(schema: &Json) -> String {
    if let Some(options) = schema.get("enum").and_then(Json::as_array) {
        let options: Vec<String> = options.iter().filter(|option| !option.is_null()).map(Json::to_string).collect();
        return format!("one of {}", options.join(", "));
    }
    if let Some(Json::Array(branches)) = schema.get("anyOf") {
        if branches.len() > 4 {
            return "a value".to_owned();
        }
        // A picture's other form is for graph frameworks; who left it out is better told of the one form.
        if let Some(picture) = branches.iter().find(|branch| branch.get("contentMediaType").is_some()) {
            return in_words(picture);
        }
        let mut forms: Vec<String> =
            branches.iter().filter(|branch| kind(branch) != Some("null")).map(in_words).collect();
        if forms.iter().any(|form| form == "a value") {
            return "a value".to_owned();
        }
        forms.dedup();
        return forms.join(" or ");
    }
    let Some(ty) = kind(schema) else { return "a value".to_owned() };
    let what = match ty {
        "string" if schema.get(X_INTEGER).is_some() => "the decimal text of an integer",
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

/// The type of the schema besides null.
fn kind(schema: &Json) -> Option<&str> {
    match schema.get("type") {
        Some(Json::String(ty)) => Some(ty),
        Some(Json::Array(types)) => types.iter().filter_map(Json::as_str).find(|ty| *ty != "null"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::expected;

    #[test]
    fn a_sentence_says_what_to_send() {
        assert_eq!(expected(&json!({"type": "integer", "minimum": 0, "maximum": 255})), "an integer from 0 to 255");
        assert_eq!(expected(&json!({"type": ["string", "null"]})), "a string");
        assert_eq!(expected(&json!({"type": "string", "enum": ["up", "down"]})), "one of \"up\", \"down\"");
        assert_eq!(expected(&json!({"anyOf": [{"type": "integer"}, {"type": "string"}]})), "an integer or a string");
        let picture = json!({"anyOf": [
            {"type": "string", "contentEncoding": "base64", "contentMediaType": "image/png"},
            {"type": "object"},
        ]});
        assert_eq!(expected(&picture), "a base64 PNG");
    }

    #[test]
    fn a_type_with_a_name_is_looked_up() {
        let named = |own: Json| expected(&json!({"$ref": "#/$defs/Own", "$defs": {"Own": own}}));
        assert_eq!(named(json!({"type": "string", "enum": ["up", "down"]})), "one of \"up\", \"down\"");
        assert_eq!(named(json!({"type": "object"})), "an object");
        assert_eq!(named(json!({"anyOf": [{"type": "integer"}, {"$ref": "#/$defs/Own"}]})), "a value");
        assert_eq!(named(json!({"$ref": "#/$defs/Own"})), "a value");
    }
}
