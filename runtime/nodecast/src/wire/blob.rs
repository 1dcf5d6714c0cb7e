//! Arrays in msgpack: extension type 1, `tag | meta_len | meta | raw` (`wire.md` 4.1).

use super::{Bytes, DType, Map, Tensor, Value, WireError, msgpack};

/// The extension type.
pub(crate) const CODE: i8 = 1;

const ARRAY: u8 = 0;
const TENSOR: u8 = 1;
const PICTURE: u8 = 2;

/// Reads a blob that stands inside `depth` containers; `keep` makes its raw bytes a value's own.
pub(crate) fn read(blob: &[u8], depth: usize, keep: impl FnOnce(&[u8]) -> Bytes) -> Result<Tensor, WireError> {
    let short = || WireError::bad_array("the blob of an array ends within its head");
    let (tag, rest) = blob.split_first().ok_or_else(short)?;
    if !matches!(*tag, ARRAY | TENSOR | PICTURE) {
        return Err(WireError::bad_array(format!("a blob of tag {tag} is no array; the tags are 0, 1 and 2")));
    }
    let (length, rest) = rest.split_first_chunk::<4>().ok_or_else(short)?;
    let length = u32::from_be_bytes(*length);
    let split = usize::try_from(length).ok().and_then(|bytes| rest.split_at_checked(bytes));
    let Some((meta, raw)) = split else {
        let text = format!("the blob of an array claims {length} bytes of meta, but {} follow", rest.len());
        return Err(WireError::bad_array(text));
    };
    let Value::Map(head) = msgpack::decode_within(meta, depth).map_err(meta_error)? else {
        return Err(WireError::bad_array("the meta of an array must be a map"));
    };
    let (Some(Value::Text(dtype)), Some(Value::List(shape))) = (head.get("dtype"), head.get("shape")) else {
        let text = "the meta of an array needs `dtype`, a text, and `shape`, a list of integers";
        return Err(WireError::bad_array(text));
    };
    let array = Tensor::read(dtype, shape, raw.len(), || keep(raw))?;
    if *tag == PICTURE {
        check_mode(&head, &array)?;
    }
    Ok(array)
}

/// What is wrong with the meta is wrong with the array, but for the bounds of the whole body.
fn meta_error(error: WireError) -> WireError {
    match error.kind {
        "too_deep" | "too_many_elements" => error,
        _ => WireError::bad_array(format!("the meta of an array cannot be read: {}", error.detail)),
    }
}

/// A picture says how its pixels are to be read, which must agree with its shape.
fn check_mode(meta: &Map, array: &Tensor) -> Result<(), WireError> {
    let Some(mode) = meta.get("mode") else { return Ok(()) };
    let agrees = match (mode.as_text(), array.shape()) {
        (Some("L"), [_, _]) | (Some("RGB"), [_, _, 3]) | (Some("RGBA"), [_, _, 4]) => array.dtype() == DType::UInt8,
        _ => false,
    };
    if agrees {
        return Ok(());
    }
    let (dtype, shape) = (array.dtype(), array.shape());
    Err(WireError::bad_array(format!(
        "a picture has mode L, RGB or RGBA and uint8 pixels of that shape, got mode {mode} with {dtype} {shape:?}"
    )))
}

/// Writes an array of these bytes as tag 0.
pub(crate) fn write(out: &mut Vec<u8>, dtype: DType, shape: &[usize], raw: &[u8]) -> Result<(), WireError> {
    let mut meta = Map::with_capacity(2);
    meta.push("dtype", dtype.name());
    meta.push("shape", shape.iter().map(|extent| Value::from(*extent)).collect::<Value>());
    let meta = msgpack::encode(&Value::Map(meta))?;
    let head = 1 + 4 + meta.len();
    let (Ok(length), Ok(meta_length)) = (u32::try_from(head + raw.len()), u32::try_from(meta.len())) else {
        let text = format!("an array of {} bytes is longer than msgpack can carry", raw.len());
        return Err(WireError::bad_array(text));
    };
    msgpack::write_ext_head(out, length, CODE)?;
    out.reserve(head + raw.len());
    out.push(ARRAY);
    out.extend_from_slice(&meta_length.to_be_bytes());
    out.extend_from_slice(&meta);
    out.extend_from_slice(raw);
    Ok(())
}
