//! A [`Value`] into compact JSON.

use super::rules;
use crate::wire::{Large, Layout, Value, WireError, base64, marker};

/// Most bodies are no longer than this, and a longer one grows in large steps anyway.
const SMALL: usize = 256;

/// Writes one value.
pub fn encode(value: &Value) -> Result<Vec<u8>, WireError> {
    encode_layout(Layout::Value(value), Large::Refused)
}

/// The same for what lies around values, for who says what becomes of integers beyond ±(2^53−1).
pub fn encode_layout(layout: Layout<'_>, large: Large) -> Result<Vec<u8>, WireError> {
    let mut out = Vec::with_capacity(SMALL);
    write_layout(layout, &mut out, 0, large)?;
    Ok(out)
}

fn write_layout(layout: Layout<'_>, out: &mut Vec<u8>, depth: usize, large: Large) -> Result<(), WireError> {
    let members = match layout {
        Layout::Value(value) => return write(value, out, depth, large),
        Layout::Object(members) => members,
    };
    rules::deeper(depth)?;
    out.push(b'{');
    for (at, (name, member)) in members.iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        scalar(rules::name(name)?, out)?;
        out.push(b':');
        write_layout(*member, out, depth + 1, large).map_err(|error| error.under(name))?;
    }
    out.push(b'}');
    Ok(())
}

fn write(value: &Value, out: &mut Vec<u8>, depth: usize, large: Large) -> Result<(), WireError> {
    match value {
        Value::Null => out.extend_from_slice(b"null"),
        Value::Bool(yes) => out.extend_from_slice(if *yes { b"true" } else { b"false" }),
        Value::Int(number) if large == Large::Written => out.extend_from_slice(number.to_string().as_bytes()),
        Value::Int(number) => {
            let number = rules::integer(*number)?;
            scalar(&number.as_i64(), out)?;
        }
        Value::Float(number) => scalar(&rules::finite(*number)?, out)?,
        Value::Text(text) => scalar(text, out)?,
        Value::Bytes(bytes) => write_base64(bytes, out),
        Value::Image(image) => write_base64(&image.to_png()?, out),
        Value::List(items) => {
            rules::deeper(depth)?;
            out.push(b'[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push(b',');
                }
                write(item, out, depth + 1, large).map_err(|error| error.under(at))?;
            }
            out.push(b']');
        }
        Value::Map(map) => {
            rules::deeper(depth)?;
            rules::distinct(map)?;
            out.push(b'{');
            for (at, (key, value)) in map.iter().enumerate() {
                if at > 0 {
                    out.push(b',');
                }
                scalar(&*rules::key(key)?, out)?;
                out.push(b':');
                write(value, out, depth + 1, large).map_err(|error| error.under_key(key))?;
            }
            out.push(b'}');
        }
        Value::Array(array) => {
            // Its object holds a list.
            rules::deeper(depth + 1)?;
            out.extend_from_slice(b"{\"");
            out.extend_from_slice(marker::KEY.as_bytes());
            out.extend_from_slice(b"\":");
            write_base64(array.data(), out);
            out.extend_from_slice(b",\"dtype\":");
            scalar(array.dtype().name(), out)?;
            out.extend_from_slice(b",\"shape\":");
            scalar(array.shape(), out)?;
            out.push(b'}');
        }
        Value::Ext(code, _) => return Err(rules::ext(*code)),
    }
    Ok(())
}

/// Escapes only where JSON demands it; a float is the shortest that reads back equal.
fn scalar<T: serde::Serialize + ?Sized>(value: &T, out: &mut Vec<u8>) -> Result<(), WireError> {
    serde_json::to_writer(out, value).map_err(|_| WireError::new("bad_output", "the value cannot be written"))
}

fn write_base64(bytes: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    base64::append(bytes, out);
    out.push(b'"');
}
