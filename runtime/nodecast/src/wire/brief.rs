//! The first characters of a value as compact JSON, for people: nothing in it can fail, and nothing large is written.

use std::fmt::Write as _;

use super::Value;

/// The first `most` characters of the value's compact JSON; of arrays and pictures, element type and shape alone.
pub(crate) fn shown_as_json(value: &Value, most: usize) -> String {
    let mut out = String::new();
    write(value, &mut out, most);
    out.chars().take(most).collect()
}

fn write(value: &Value, out: &mut String, most: usize) {
    // A character has at most four bytes; beyond, all that is written would be cut.
    if out.len() >= most * 4 {
        return;
    }
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(yes) => out.push_str(if *yes { "true" } else { "false" }),
        Value::Int(number) => add(out, number),
        Value::Float(number) if number.is_finite() => add(out, serde_json::json!(number)),
        Value::Float(number) => add(out, number),
        Value::Text(text) => {
            let start: String = text.chars().take(most).collect();
            add(out, serde_json::json!(start));
        }
        Value::Bytes(bytes) => add(out, format_args!("{{\"bytes\":{}}}", bytes.len())),
        Value::Array(array) => stub(out, array.dtype().name(), array.shape()),
        Value::Image(image) => {
            stub(out, "uint8", &[image.height() as usize, image.width() as usize, usize::from(image.channels())]);
        }
        Value::Ext(code, bytes) => add(out, format_args!("{{\"ext\":{code},\"bytes\":{}}}", bytes.len())),
        Value::List(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate().take(most) {
                out.push_str(if at > 0 { "," } else { "" });
                write(item, out, most);
            }
            out.push(']');
        }
        Value::Map(map) => {
            out.push('{');
            for (at, (key, value)) in map.iter().enumerate().take(most) {
                out.push_str(if at > 0 { "," } else { "" });
                write(key, out, most);
                out.push(':');
                write(value, out, most);
            }
            out.push('}');
        }
    }
}

fn stub(out: &mut String, dtype: &str, shape: &[usize]) {
    add(out, serde_json::json!({"dtype": dtype, "shape": shape}));
}

fn add(out: &mut String, what: impl std::fmt::Display) {
    // Writing to a string cannot fail.
    let _ = write!(out, "{what}");
}

#[cfg(test)]
mod tests {
    use super::shown_as_json;
    use crate::wire::{Tensor, Value};

    #[test]
    fn nothing_large_is_written() {
        let array = Tensor::from_elements([2, 1], &[1.0_f32, 2.0]).unwrap();
        assert_eq!(shown_as_json(&Value::Array(array), 100), r#"{"dtype":"float32","shape":[2,1]}"#);
        let deep: Value = (0..1000).map(|_| Value::from("x".repeat(1 << 20))).collect();
        assert_eq!(shown_as_json(&deep, 100).chars().count(), 100);
        assert_eq!(shown_as_json(&Value::from(serde_json::json!({"a": [1, 2.5, null]})), 100), r#"{"a":[1,2.5,null]}"#);
        assert_eq!(shown_as_json(&Value::Float(f64::NAN), 100), "NaN");
    }
}
