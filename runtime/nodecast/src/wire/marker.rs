//! Arrays in JSON: `{"__ndarray__": base64, "dtype": …, "shape": […]}` (`wire.md` 4.2).

use super::{Bytes, Map, Tensor, Value, WireError, base64};

/// The key that makes an object an array; no other object may have it.
pub(crate) const KEY: &str = "__ndarray__";

/// Reads a map that holds [`KEY`]; its bytes are base64, or bytes where they were decoded on the way.
pub(crate) fn read(marker: Map) -> Result<Tensor, WireError> {
    let (mut data, mut dtype, mut shape) = (None::<Bytes>, None, None);
    for (key, value) in marker {
        match (key.as_text(), value) {
            (Some(KEY), Value::Text(text)) => data = Some(bytes(&text).map_err(|error| error.under(KEY))?),
            (Some(KEY), Value::Bytes(bytes)) => data = Some(bytes),
            (Some("dtype"), Value::Text(name)) => dtype = Some(name),
            (Some("shape"), Value::List(extents)) => shape = Some(extents),
            (Some(name @ (KEY | "dtype" | "shape")), value) => {
                let found = value.describe();
                let expected = if name == "shape" { "a list" } else { "text" };
                let text = format!("`{name}` of an array must be {expected}, got {found}");
                return Err(WireError::bad_array(text).expecting(expected).under(name));
            }
            _ => {
                let text = format!("an array has `{KEY}`, `dtype` and `shape`, and no key {key}");
                return Err(WireError::bad_array(text));
            }
        }
    }
    let (Some(data), Some(dtype), Some(shape)) = (data, dtype, shape) else {
        return Err(WireError::bad_array(format!("an array needs all of `{KEY}`, `dtype` and `shape`")));
    };
    Tensor::read(&dtype, &shape, data.len(), || data)
}

/// The bytes of an array out of their base64.
pub(crate) fn bytes(text: &str) -> Result<Bytes, WireError> {
    base64::decode(text).map(Bytes::from).map_err(|why| WireError::bad_array(format!("`{KEY}` is {why}")))
}

/// The marker of an array, for formats that have nothing better.
pub(crate) fn write(array: &Tensor) -> Map {
    let shape: Value = array.shape().iter().map(|extent| Value::from(*extent)).collect();
    Map::from_iter([
        (KEY, Value::from(base64::encode(array.data()))),
        ("dtype", Value::from(array.dtype().name())),
        ("shape", shape),
    ])
}
