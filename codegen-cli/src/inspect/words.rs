//! JSON Schema in words: what a value looks like, in a few of them.

use serde_json::Value;

/// Bounds that say only which integer or float type the field has.
const OF_TYPES: &[f64] = &[
    127.0,
    -128.0,
    255.0,
    32_767.0,
    -32_768.0,
    65_535.0,
    2_147_483_647.0,
    -2_147_483_648.0,
    4_294_967_295.0,
    9_007_199_254_740_991.0,
    -9_007_199_254_740_991.0,
];

/// The type, with its bounds: `text`, `number 0…1`, `list of image`, `"fast" | "exact"`.
pub(crate) fn of(schema: &Value) -> String {
    let word = |key: &str| schema.get(key).and_then(Value::as_str);
    if let Some(options) = schema.get("enum").and_then(Value::as_array) {
        return options.iter().map(scalar).collect::<Vec<_>>().join(" | ");
    }
    if let Some(constant) = schema.get("const") {
        return scalar(constant);
    }
    match word("type").or_else(|| besides_null(schema)) {
        Some("string") => string(word("contentMediaType"), word("contentEncoding"), word("format")).to_owned(),
        Some("boolean") => "true or false".to_owned(),
        Some(number @ ("integer" | "number")) => format!("{number}{}", range(schema)),
        Some("array") => list(schema),
        Some("object") => object(schema).to_owned(),
        Some(other) => other.to_owned(),
        None => alternatives(schema),
    }
}

/// The object that a value is, or that the elements of a list are, where one is meant and its fields are known.
pub(crate) fn object_in(schema: &Value) -> Option<&Value> {
    let branches = ["anyOf", "oneOf"].iter().find_map(|key| schema.get(*key).and_then(Value::as_array));
    if let Some(branches) = branches {
        let mut meant = branches.iter().filter(|branch| branch.get("type").is_none_or(|ty| ty != "null"));
        return meant.next().filter(|_| meant.next().is_none()).and_then(object_in);
    }
    if let Some(items) = schema.get("items") {
        return object_in(items);
    }
    let properties = schema.get("properties").and_then(Value::as_object)?;
    (!properties.is_empty() && !properties.contains_key("__ndarray__")).then_some(schema)
}

/// A value of the document as it would be typed.
pub(crate) fn scalar(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => {
            let digits = number.to_string();
            digits.strip_suffix(".0").unwrap_or(&digits).to_owned()
        }
        other => other.to_string(),
    }
}

/// The one type besides null, of several.
fn besides_null(schema: &Value) -> Option<&str> {
    let mut types = schema.get("type")?.as_array()?.iter().filter_map(Value::as_str).filter(|ty| *ty != "null");
    types.next().filter(|_| types.next().is_none())
}

fn string<'a>(media: Option<&str>, encoding: Option<&str>, format: Option<&'a str>) -> &'a str {
    match (media, encoding, format) {
        (Some(media), ..) if media.starts_with("image/") => "image",
        (_, Some("base64"), _) => "bytes",
        (.., Some(format)) => format,
        _ => "text",
    }
}

fn range(schema: &Value) -> String {
    let bound = |key: &str| {
        let bound = schema.get(key).and_then(Value::as_f64)?;
        let says_nothing = bound.abs() >= f64::from(f32::MAX) || OF_TYPES.contains(&bound);
        (!says_nothing).then(|| schema.get(key).map(scalar).unwrap_or_default())
    };
    let (low, high) = (bound("minimum"), bound("maximum"));
    let strict = (bound("exclusiveMinimum"), bound("exclusiveMaximum"));
    let range = match (low, high, strict) {
        (Some(low), Some(high), _) => format!(" {low}…{high}"),
        (Some(low), None, _) => format!(" ≥ {low}"),
        (None, Some(high), _) => format!(" ≤ {high}"),
        (None, None, (Some(low), _)) => format!(" > {low}"),
        (None, None, (None, Some(high))) => format!(" < {high}"),
        (None, None, (None, None)) => String::new(),
    };
    match schema.get("multipleOf") {
        Some(step) => format!("{range} step {}", scalar(step)),
        None => range,
    }
}

fn list(schema: &Value) -> String {
    if let Some(items) = schema.get("prefixItems").and_then(Value::as_array) {
        return format!("({})", items.iter().map(of).collect::<Vec<_>>().join(", "));
    }
    let length = |key: &str| schema.get(key).and_then(Value::as_u64);
    let count = match (length("minItems"), length("maxItems")) {
        (Some(least), Some(most)) if least == most => format!("{least} × "),
        _ => "list of ".to_owned(),
    };
    match schema.get("items").map(of) {
        Some(items) => format!("{count}{items}"),
        None => "list".to_owned(),
    }
}

fn object(schema: &Value) -> &'static str {
    let has = |key: &str| schema.pointer(&format!("/properties/{key}")).is_some();
    if has("__ndarray__") { "array" } else { "object" }
}

fn alternatives(schema: &Value) -> String {
    let of_key = |key: &str| schema.get(key).and_then(Value::as_array);
    match of_key("anyOf").or_else(|| of_key("oneOf")) {
        Some(all) => {
            let mut words: Vec<String> = Vec::new();
            for word in all.iter().map(of).filter(|word| word != "null") {
                if !words.contains(&word) {
                    words.push(word);
                }
            }
            if words.len() > 4 { "any".to_owned() } else { words.join(" or ") }
        }
        None => match schema.get("$ref").and_then(Value::as_str) {
            Some(reference) => reference.rsplit('/').next().unwrap_or(reference).to_owned(),
            None => "any".to_owned(),
        },
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::of;

    #[test]
    fn a_type_is_said_in_a_few_words() {
        let cases = [
            (json!({"type":"string"}), "text"),
            (json!({"type":"string","contentEncoding":"base64","contentMediaType":"image/png"}), "image"),
            (json!({"type":"string","contentEncoding":"base64"}), "bytes"),
            (json!({"type":"number","minimum":0.0,"maximum":1.0}), "number 0…1"),
            (json!({"type":"integer","minimum":0,"maximum":4_294_967_295_u32}), "integer ≥ 0"),
            (json!({"type":"integer","minimum":-2_147_483_648_i64,"maximum":2_147_483_647}), "integer"),
            (json!({"type":"string","enum":["fast","exact"]}), "fast | exact"),
            (json!({"type":"array","items":{"type":"object"}}), "list of object"),
            (json!({"type":"array","items":{"type":"number"},"minItems":3,"maxItems":3}), "3 × number"),
            (json!({"anyOf":[{"type":"string"},{"type":"null"}]}), "text"),
            (json!({"anyOf":[{"type":"integer"},{"type":"string"}]}), "integer or text"),
            (json!({"type":["integer","null"]}), "integer"),
            (json!({}), "any"),
        ];
        for (schema, words) in cases {
            assert_eq!(of(&schema), words, "{schema}");
        }
    }
}
