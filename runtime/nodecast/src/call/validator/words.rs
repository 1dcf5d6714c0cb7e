//! What a schema expects and what a value is, in a few words for a sentence.

use serde_json::Value as Json;

use crate::wire::{Value, X_INTEGER, X_WIRE};

/// Options beyond this are not listed.
const MANY: usize = 16;

/// Follows a local reference.
pub(super) fn resolved<'s>(root: &'s Json, schema: &'s Json) -> &'s Json {
    let mut schema = schema;
    // A chain of references that is longer leads in a circle.
    for _ in 0..8 {
        let target = schema.get("$ref").and_then(Json::as_str).and_then(|reference| reference.strip_prefix('#'));
        match target.and_then(|pointer| root.pointer(pointer)) {
            Some(target) => schema = target,
            None => break,
        }
    }
    schema
}

/// What `schema`, a part of `root`, expects.
pub(super) fn expected(root: &Json, schema: &Json) -> String {
    expected_within(root, schema, 0)
}

fn expected_within(root: &Json, schema: &Json, depth: usize) -> String {
    let schema = resolved(root, schema);
    if depth > 4 {
        return "a value".to_owned();
    }
    if is_picture(schema) {
        return "a picture (base64 of a PNG or JPEG, or an array of uint8 with shape H×W, H×W×3 or H×W×4)".to_owned();
    }
    if let Some(constant) = schema.get("const") {
        return constant.to_string();
    }
    if let Some(options) = schema.get("enum").and_then(Json::as_array) {
        return one_of(options);
    }
    for union in ["anyOf", "oneOf"] {
        if let Some(branches) = schema.get(union).and_then(Json::as_array) {
            return any_of(branches.iter().map(|branch| expected_within(root, branch, depth + 1)));
        }
    }
    let types = match schema.get("type") {
        Some(Json::String(ty)) => vec![ty.as_str()],
        Some(Json::Array(types)) => types.iter().filter_map(Json::as_str).collect(),
        _ => match schema.get("allOf").and_then(|parts| parts.get(0)) {
            Some(part) => return expected_within(root, part, depth + 1),
            None => return "a value".to_owned(),
        },
    };
    any_of(types.into_iter().map(|ty| one_type(root, schema, ty)))
}

/// What a schema expects of values of one type.
fn one_type(root: &Json, schema: &Json, ty: &str) -> String {
    match ty {
        "string" if schema.get(X_INTEGER).is_some() => integer_text(schema),
        "string" if schema.get("contentEncoding").is_some() => "bytes (base64 text)".to_owned(),
        "string" => match schema.get("format").and_then(Json::as_str) {
            Some(format) => format!("text of the format `{format}`"),
            None if schema.get("maxLength").is_some_and(|most| *most == 1) => "a single character".to_owned(),
            None => "text".to_owned(),
        },
        "integer" | "number" => range(schema, if ty == "integer" { "an integer" } else { "a number" }),
        "boolean" => "true or false".to_owned(),
        "array" => match (schema.get("minItems"), schema.get("maxItems")) {
            (Some(least), Some(most)) if least == most => format!("a list of {least} items"),
            _ => "a list".to_owned(),
        },
        "object" if is_marker(schema) => array(root, schema),
        "object" => "an object".to_owned(),
        _ => "null".to_owned(),
    }
}

/// Decimal text that stands for an integer; where the number itself is taken too, it is what is asked for.
pub(super) fn integer_text(schema: &Json) -> String {
    if takes_integers(schema) {
        return range(schema, "an integer");
    }
    let bound = |at: usize| schema.get(X_INTEGER).and_then(|range| range.get(at)).and_then(Json::as_str);
    match (bound(0), bound(1)) {
        (Some(min), Some(max)) if min.len().max(max.len()) < 16 => {
            format!("the decimal text of an integer from {min} to {max}")
        }
        _ => "the decimal text of an integer".to_owned(),
    }
}

/// Whether integers are of a type that a schema lists.
pub(super) fn takes_integers(schema: &Json) -> bool {
    match schema.get("type") {
        Some(Json::Array(types)) => types.iter().any(|ty| ty == "integer"),
        single => single.is_some_and(|ty| ty == "integer"),
    }
}

/// A number type with its bounds; those of the 64-bit types say nothing to a reader.
pub(super) fn range(schema: &Json, what: &str) -> String {
    let bound = |key: &str| schema.get(key).filter(|bound| bound.as_f64().is_some_and(|bound| bound.abs() < 1e15));
    match (bound("minimum"), bound("maximum"), bound("exclusiveMinimum"), bound("exclusiveMaximum")) {
        (Some(min), Some(max), ..) => format!("{what} from {min} to {max}"),
        (Some(min), ..) => format!("{what} of at least {min}"),
        (_, Some(max), ..) => format!("{what} of at most {max}"),
        (_, _, Some(min), Some(max)) => format!("{what} between {min} and {max}"),
        (_, _, Some(min), _) => format!("{what} above {min}"),
        (_, _, _, Some(max)) => format!("{what} below {max}"),
        _ => what.to_owned(),
    }
}

/// An integer type with both its bounds, where [`range`] leaves out the one that a value is beyond.
pub(super) fn beyond(schema: &Json, broken: &str) -> Option<String> {
    let bound = |key: &str| schema.get(key).filter(|bound| bound.is_i64() || bound.is_u64());
    let is_shown = bound(broken)?.as_f64().is_none_or(|bound| bound.abs() < 1e15);
    let (min, max) = (bound("minimum")?, bound("maximum")?);
    (takes_integers(schema) && !is_shown).then(|| format!("an integer from {min} to {max}"))
}

/// Whether a schema is that of a picture.
fn is_picture(schema: &Json) -> bool {
    schema.get(X_WIRE).is_some_and(|mark| mark == "IMAGE")
}

/// Whether a schema is that of a picture, or of a picture or null.
pub(super) fn means_picture(root: &Json, schema: &Json) -> bool {
    let schema = resolved(root, schema);
    let branches = schema.get("anyOf").and_then(Json::as_array);
    is_picture(schema)
        || branches.is_some_and(|branches| branches.iter().any(|branch| is_picture(resolved(root, branch))))
}

/// Whether a schema is that of a marked array.
pub(super) fn is_marker(schema: &Json) -> bool {
    schema.get("properties").is_some_and(|properties| properties.get("__ndarray__").is_some())
}

/// An array of which element type and how many dimensions.
pub(super) fn array(root: &Json, schema: &Json) -> String {
    let part = |key| schema.get("properties").and_then(|properties| properties.get(key));
    let dtype = match part("dtype").map(|dtype| resolved(root, dtype)) {
        Some(dtype) => match (dtype.get("const").and_then(Json::as_str), dtype.get("enum").and_then(Json::as_array)) {
            (Some(name), _) => format!(" of {name}"),
            (None, Some(names)) if names.len() <= 4 => {
                format!(" of {}", names.iter().filter_map(Json::as_str).collect::<Vec<_>>().join(" or "))
            }
            _ => String::new(),
        },
        None => String::new(),
    };
    let shape = part("shape").map(|shape| resolved(root, shape));
    let extent = |key| shape.and_then(|shape| shape.get(key)).and_then(Json::as_u64);
    let rank = match (extent("minItems"), extent("maxItems")) {
        (Some(least), Some(most)) if least == most => format!(" with {least} dimensions"),
        (Some(least), Some(most)) => format!(" with {least} to {most} dimensions"),
        _ => String::new(),
    };
    format!("an array{dtype}{rank}")
}

/// Options of which one is meant.
pub(super) fn one_of(options: &[Json]) -> String {
    let mut words: Vec<String> =
        options.iter().filter(|option| !option.is_null()).take(MANY).map(Json::to_string).collect();
    if options.len() > MANY {
        words.push("…".to_owned());
    }
    match words.as_slice() {
        [] => "null".to_owned(),
        [option] => option.clone(),
        _ => format!("one of {}", words.join(", ")),
    }
}

/// Alternatives without repetition; null last, since it is seldom what is wanted.
fn any_of(alternatives: impl Iterator<Item = String>) -> String {
    let mut words: Vec<String> = Vec::new();
    for alternative in alternatives.take(MANY) {
        if !words.contains(&alternative) {
            words.push(alternative);
        }
    }
    words.sort_by_key(|word| word == "null");
    match words.as_slice() {
        [] => "a value".to_owned(),
        _ => words.join(" or "),
    }
}

/// What a value is; short values are shown.
pub(super) fn found(value: &Value) -> String {
    match value {
        Value::Text(text) if text.chars().count() <= 40 => format!("the text {text:?}"),
        Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Null => value.to_string(),
        Value::List(items) => format!("a list of {}", items.len()),
        Value::Array(array) => format!("an array of {} with shape {:?}", array.dtype(), array.shape()),
        value => value.describe().to_owned(),
    }
}
