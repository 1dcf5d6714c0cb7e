//! Bytes into a [`Value`].

use super::reader::{Head, Malformed, Reader};
use super::scan::scan;
use crate::wire::{Bytes, Map, Repeated, Value, WireError, blob};

/// Reads one value; anything after it is refused.
pub fn decode(body: &[u8]) -> Result<Value, WireError> {
    decode_within(body, 0)
}

/// As [`decode`], but large bytes and arrays share the memory of the body, which lives as long as they do.
pub fn decode_shared(body: &bytes::Bytes) -> Result<Value, WireError> {
    decode_shared_with(body, Repeated::Refused)
}

/// The same, for who says what becomes of keys that stand twice.
pub fn decode_shared_with(body: &bytes::Bytes, repeated: Repeated) -> Result<Value, WireError> {
    scan(body, 0)?;
    Builder { reader: Reader::new(body), shared: Some(body), repeated }.value(0)
}

/// Reads one value that stands inside `depth` containers already.
pub(in crate::wire) fn decode_within(body: &[u8], depth: usize) -> Result<Value, WireError> {
    scan(body, depth)?;
    Builder { reader: Reader::new(body), shared: None, repeated: Repeated::Refused }.value(depth)
}

/// Below this, holding on to a whole body costs more than a copy.
const WORTH_SHARING: usize = 4096;

/// Builds what [`scan`] has let through, so lengths are true and nesting is bounded.
struct Builder<'b> {
    reader: Reader<'b>,
    shared: Option<&'b bytes::Bytes>,
    repeated: Repeated,
}

impl Builder<'_> {
    fn value(&mut self, depth: usize) -> Result<Value, WireError> {
        Ok(match self.reader.head()? {
            Head::Null => Value::Null,
            Head::Bool(yes) => Value::Bool(yes),
            Head::Unsigned(number) => number.into(),
            Head::Signed(number) => number.into(),
            Head::Float(number) => number.into(),
            Head::Text(length) => {
                let text = std::str::from_utf8(self.reader.take(length)?);
                text.map_err(|_| Malformed("a text is not UTF-8"))?.into()
            }
            Head::Bytes(length) => {
                let bytes = self.reader.take(length)?;
                Value::Bytes(share(self.shared, bytes))
            }
            Head::Ext(blob::CODE, length) => {
                let blob = self.reader.take(length)?;
                Value::Array(blob::read(blob, depth, |raw| share(self.shared, raw))?)
            }
            Head::Ext(code, length) => {
                let bytes = self.reader.take(length)?;
                Value::Ext(code, share(self.shared, bytes))
            }
            Head::List(length) => self.list(length, depth + 1)?,
            Head::Map(length) => self.map(length, depth + 1)?,
        })
    }

    fn list(&mut self, length: usize, depth: usize) -> Result<Value, WireError> {
        let mut items = Vec::with_capacity(length.min(self.reader.left()));
        for at in 0..length {
            items.push(self.value(depth).map_err(|error| error.under(at))?);
        }
        Ok(Value::List(items))
    }

    fn map(&mut self, length: usize, depth: usize) -> Result<Value, WireError> {
        let mut map = Map::with_capacity(length.min(self.reader.left()));
        for _ in 0..length {
            let key = self.value(depth)?;
            match self.value(depth) {
                Ok(value) => map.push(key, value),
                Err(error) => return Err(error.under_key(&key)),
            }
        }
        if self.repeated == Repeated::LastKept {
            map.keep_last();
            return Ok(Value::Map(map));
        }
        match map.duplicate() {
            Some(key) => Err(WireError::duplicate_key(key)),
            None => Ok(Value::Map(map)),
        }
    }
}

fn share(shared: Option<&bytes::Bytes>, bytes: &[u8]) -> Bytes {
    match shared {
        Some(body) if bytes.len() >= WORTH_SHARING => body.slice_ref(bytes).into(),
        _ => bytes.into(),
    }
}
