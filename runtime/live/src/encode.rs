//! Values as canonical JSON (RFC 8785): equal values have equal bytes, whatever order a map keeps.
//!
//! Integers are exact, also beyond 2^53, where the standard would have them rounded: two counters that differ do not look
//! alike.

use std::sync::Arc;

use nodecast::Value;
use nodecast::wire::{self, Map};
use serde::Serialize;

/// A value is so deep at most: whoever reads it inside of a message and a state reads 127 levels.
const DEEPEST: usize = 120;

/// A value in canonical JSON, or why JSON has none for it.
pub(crate) fn canonical<T: Serialize + ?Sized>(value: &T) -> Result<Arc<str>, String> {
    let value = wire::to_value(value).map_err(|error| error.detail)?;
    let mut out = String::new();
    write(&value, 0, &mut out)?;
    Ok(out.into())
}

/// The same in the order in which a map holds its members, as somebody sent them.
pub(crate) fn compact(value: &Value) -> String {
    // What came as JSON goes as JSON.
    let bytes = wire::json::encode(value).unwrap_or_else(|_| value.to_string().into_bytes());
    String::from_utf8_lossy(&bytes).into_owned()
}

fn write(value: &Value, depth: usize, out: &mut String) -> Result<(), String> {
    if depth > DEEPEST {
        return Err(format!("it has more than {DEEPEST} levels of nesting"));
    }
    match value {
        Value::Int(number) => out.push_str(&number.to_string()),
        Value::Float(number) if number.is_finite() => out.push_str(&scalar(number)?),
        Value::Float(number) => return Err(format!("JSON has no number {number:?}")),
        Value::Text(text) => out.push_str(&scalar(text)?),
        Value::List(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                write(item, depth + 1, out)?;
            }
            out.push(']');
        }
        Value::Map(map) => members(map, depth + 1, out)?,
        other => {
            let bytes = wire::json::encode(other).map_err(|error| error.detail)?;
            out.push_str(&String::from_utf8_lossy(&bytes));
        }
    }
    Ok(())
}

fn members(map: &Map, depth: usize, out: &mut String) -> Result<(), String> {
    let mut members = Vec::with_capacity(map.len());
    for (key, value) in map {
        let key = match key {
            Value::Text(text) => text.clone(),
            Value::Int(number) => number.to_string(),
            Value::Bool(yes) => yes.to_string(),
            other => return Err(format!("JSON has no key that is {}", other.describe())),
        };
        members.push((key, value));
    }
    // The standard's order: by the units of UTF-16.
    members.sort_by(|(one, _), (other, _)| one.encode_utf16().cmp(other.encode_utf16()));
    out.push('{');
    for (at, (key, value)) in members.into_iter().enumerate() {
        out.push_str(if at > 0 { "," } else { "" });
        out.push_str(&scalar(&key)?);
        out.push(':');
        write(value, depth, out)?;
    }
    out.push('}');
    Ok(())
}

fn scalar<T: Serialize>(value: &T) -> Result<String, String> {
    serde_json_canonicalizer::to_string(value).map_err(|error| error.to_string())
}
