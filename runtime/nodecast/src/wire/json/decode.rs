//! JSON into a [`Value`]: the shape of a long body first, then one pass that refuses duplicate keys and reads arrays on
//! the way.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::rules;
use super::scan::{Counts, scan};
use crate::wire::{Integer, Map, Repeated, Value, WireError, marker};

/// So short a body holds no more values than any body may, and what is reserved for them is small; what is too deep for
/// us is so for the parser.
const SHORT: usize = 4096;

/// Reads one value; anything but whitespace after it is refused.
pub fn decode(body: &[u8]) -> Result<Value, WireError> {
    decode_with(body, Repeated::Refused)
}

/// The same, for who says what becomes of keys that stand twice.
pub fn decode_with(body: &[u8], repeated: Repeated) -> Result<Value, WireError> {
    let counts = if body.len() <= SHORT { Counts::default() } else { scan(body)? };
    let mut state = State { counts, refusal: None, repeated };
    let mut json = serde_json::Deserializer::from_slice(body);
    let refused = match Seed::any(&mut state).deserialize(&mut json) {
        Ok(value) => match json.end() {
            Ok(()) => return Ok(value),
            Err(_) => WireError::new("trailing_bytes", "something follows the value; send one value a body"),
        },
        Err(error) => state.refusal.take().unwrap_or_else(|| malformed(&error, body)),
    };
    // What is wrong with its shape comes before all else, for a short body too.
    scan(body)?;
    Err(refused)
}

/// The parser's sentence, and where it stopped.
fn malformed(error: &serde_json::Error, body: &[u8]) -> WireError {
    if body.starts_with("\u{feff}".as_bytes()) {
        return WireError::malformed("the body is not JSON: it begins with a byte order mark; send it without");
    }
    let text = error.to_string();
    let text = match text.rsplit_once(" at line ").map_or(text.as_str(), |(text, _)| text) {
        // Of a word that begins as `null`, `true` or `false` do.
        "expected value" | "expected ident" => "a value was expected",
        text => text,
    };
    let (line, column) = (error.line(), error.column());
    WireError::malformed(format!("the body is not JSON: {text}, at line {line}, column {column}"))
}

struct State {
    /// How many members the containers have that are still to come.
    counts: Counts,
    /// A refusal of ours, which the parser's error type cannot carry.
    refusal: Option<WireError>,
    repeated: Repeated,
}

impl State {
    fn check<T, E: serde::de::Error>(&mut self, result: Result<T, WireError>) -> Result<T, E> {
        result.map_err(|refusal| {
            self.refusal = Some(refusal);
            E::custom("refused")
        })
    }

    /// Points a refusal from inside at the place where it stands.
    fn under<T, E>(&mut self, result: Result<T, E>, token: impl fmt::Display) -> Result<T, E> {
        if result.is_err() {
            self.refusal = self.refusal.take().map(|refusal| refusal.under(token));
        }
        result
    }
}

/// One value.
struct Seed<'s> {
    state: &'s mut State,
    /// Whether text is the base64 of an array, which is decoded from where it stands in the body.
    array_bytes: bool,
}

impl<'s> Seed<'s> {
    fn any(state: &'s mut State) -> Self {
        Self { state, array_bytes: false }
    }
}

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, yes: bool) -> Result<Value, E> {
        Ok(Value::Bool(yes))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(rules::read(Integer::from(number)))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(rules::read(Integer::from(number)))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(Value::Float(number))
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Value, E> {
        if self.array_bytes {
            return self.state.check(marker::bytes(text)).map(Value::Bytes);
        }
        Ok(Value::from(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut items = Vec::with_capacity(self.state.counts.next());
        loop {
            let item = access.next_element_seed(Seed::any(self.state));
            match self.state.under(item, items.len())? {
                Some(item) => items.push(item),
                None => break,
            }
        }
        Ok(Value::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut map = Map::with_capacity(self.state.counts.next());
        let mut is_array = false;
        while let Some(key) = access.next_key::<String>()? {
            let array_bytes = key == marker::KEY;
            is_array |= array_bytes;
            let value = access.next_value_seed(Seed { state: &mut *self.state, array_bytes });
            let value = self.state.under(value, &key)?;
            map.push(key, value);
        }
        if self.state.repeated == Repeated::LastKept {
            map.keep_last();
        } else if let Some(key) = map.duplicate() {
            let refusal = WireError::duplicate_key(key);
            return self.state.check(Err(refusal));
        }
        if is_array {
            return self.state.check(marker::read(map)).map(Value::Array);
        }
        Ok(Value::Map(map))
    }
}
