//! A [`Value`] into bytes: smallest integers, floats as float64, text as `str`, arrays and pictures as blobs.

use rmp::encode::{self as rmp_encode, ValueWriteError};

use crate::wire::limits::MAX_DEPTH;
use crate::wire::{DType, Integer, Layout, Value, WireError, blob};

/// Most bodies are no longer than this, and a longer one grows in large steps anyway.
const SMALL: usize = 256;

/// Writes one value.
pub fn encode(value: &Value) -> Result<Vec<u8>, WireError> {
    encode_layout(Layout::Value(value))
}

/// The same for what lies around values.
pub fn encode_layout(layout: Layout<'_>) -> Result<Vec<u8>, WireError> {
    let mut out = Vec::with_capacity(SMALL);
    write_layout(layout, &mut out, 0)?;
    Ok(out)
}

fn write_layout(layout: Layout<'_>, out: &mut Vec<u8>, depth: usize) -> Result<(), WireError> {
    let members = match layout {
        Layout::Value(value) => return write(value, out, depth),
        Layout::Object(members) => members,
    };
    deeper(depth)?;
    rmp_encode::write_map_len(out, length(members.len())?).map_err(unwritten)?;
    for (name, member) in members {
        write_text(name, out)?;
        write_layout(*member, out, depth + 1).map_err(|error| error.under(name))?;
    }
    Ok(())
}

fn write(value: &Value, out: &mut Vec<u8>, depth: usize) -> Result<(), WireError> {
    match value {
        Value::Null => out.push(0xc0),
        Value::Bool(yes) => out.push(if *yes { 0xc3 } else { 0xc2 }),
        Value::Int(number) => write_integer(*number, out)?,
        Value::Float(number) => rmp_encode::write_f64(out, *number).map_err(unwritten)?,
        Value::Text(text) => write_text(text, out)?,
        Value::Bytes(bytes) => {
            rmp_encode::write_bin_len(out, length(bytes.len())?).map_err(unwritten)?;
            out.extend_from_slice(bytes);
        }
        Value::List(items) => {
            deeper(depth)?;
            rmp_encode::write_array_len(out, length(items.len())?).map_err(unwritten)?;
            for (at, item) in items.iter().enumerate() {
                write(item, out, depth + 1).map_err(|error| error.under(at))?;
            }
        }
        Value::Map(map) => {
            deeper(depth)?;
            rmp_encode::write_map_len(out, length(map.len())?).map_err(unwritten)?;
            for (key, value) in map {
                write(key, out, depth + 1)?;
                write(value, out, depth + 1).map_err(|error| error.under_key(key))?;
            }
        }
        // The meta of a blob is a map that holds a list.
        Value::Array(array) => {
            deeper(depth + 1)?;
            blob::write(out, array.dtype(), array.shape(), array.data())?;
        }
        Value::Image(image) => {
            deeper(depth + 1)?;
            blob::write(out, DType::UInt8, &image.shape(), image.pixels())?;
        }
        Value::Ext(code, bytes) => {
            write_ext_head(out, length(bytes.len())?, *code)?;
            out.extend_from_slice(bytes);
        }
    }
    Ok(())
}

fn write_text(text: &str, out: &mut Vec<u8>) -> Result<(), WireError> {
    rmp_encode::write_str_len(out, length(text.len())?).map_err(unwritten)?;
    out.extend_from_slice(text.as_bytes());
    Ok(())
}

fn write_integer(number: Integer, out: &mut Vec<u8>) -> Result<(), WireError> {
    match (number.as_u64(), number.as_i64()) {
        (Some(number), _) => rmp_encode::write_uint(out, number),
        (None, number) => rmp_encode::write_sint(out, number.unwrap_or_default()),
    }
    .map(drop)
    .map_err(unwritten)
}

/// The head of an extension type, which its bytes follow.
pub(in crate::wire) fn write_ext_head(out: &mut Vec<u8>, length: u32, code: i8) -> Result<(), WireError> {
    // Codes below zero are MessagePack's own, and rmp writes none of them; the head is the same.
    rmp_encode::write_ext_meta(out, length, code.max(0)).map_err(unwritten)?;
    if let Some(last) = out.last_mut() {
        *last = code.to_be_bytes()[0];
    }
    Ok(())
}

fn deeper(depth: usize) -> Result<(), WireError> {
    if depth >= MAX_DEPTH { Err(WireError::too_deep()) } else { Ok(()) }
}

fn length(length: usize) -> Result<u32, WireError> {
    u32::try_from(length)
        .map_err(|_| WireError::new("out_of_range", format!("{length} items are more than msgpack can carry")))
}

/// Writing to memory does not fail; rmp's signature says it may.
fn unwritten(_: impl Into<ValueWriteError>) -> WireError {
    WireError::new("bad_output", "the value cannot be written")
}
