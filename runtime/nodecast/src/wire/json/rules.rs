//! What JSON cannot carry.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::wire::limits::{MAX_DEPTH, MAX_JSON_INTEGER};
use crate::wire::{Integer, Map, Value, WireError, marker};

/// The number that was read. JSON knows one kind of number, and beyond ±(2^53−1) most who write or read it round, so
/// there it is the nearest float, in whichever way it was written: a schema that says `number` takes 1e19 and
/// 10000000000000000000 alike, and one that says `integer` takes neither.
pub(super) fn read(number: Integer) -> Value {
    if number.unsigned_abs() <= MAX_JSON_INTEGER { Value::Int(number) } else { Value::Float(number.as_f64()) }
}

/// Refuses to write an integer that most readers of JSON would round.
pub(super) fn integer(number: Integer) -> Result<Integer, WireError> {
    if number.unsigned_abs() <= MAX_JSON_INTEGER {
        return Ok(number);
    }
    let range = format!("an integer from -{MAX_JSON_INTEGER} to {MAX_JSON_INTEGER}");
    let text = format!("JSON carries {range}, got {number}; declare it `as_string` (msgpack carries it as it is)");
    Err(WireError::new("out_of_range", text).expecting(range))
}

/// Refuses NaN and the infinities.
pub(super) fn finite(number: f64) -> Result<f64, WireError> {
    if number.is_finite() {
        return Ok(number);
    }
    Err(WireError::new("non_finite", format!("JSON has no number {number:?}")).expecting("a finite number"))
}

/// A name that is a key.
pub(super) fn name(name: &str) -> Result<&str, WireError> {
    if name == marker::KEY {
        return Err(WireError::new("reserved_key", format!("the key `{}` is kept for arrays", marker::KEY)));
    }
    Ok(name)
}

/// A key as JSON writes it.
pub(super) fn key(key: &Value) -> Result<Cow<'_, str>, WireError> {
    match key {
        Value::Text(text) => name(text).map(Cow::Borrowed),
        Value::Int(number) => Ok(Cow::Owned(number.to_string())),
        Value::Bool(yes) => Ok(Cow::Borrowed(if *yes { "true" } else { "false" })),
        key => {
            let text = format!("JSON has no key that is {}; a key is text, an integer or a boolean", key.describe());
            Err(WireError::new("map_key", text))
        }
    }
}

/// Refuses two keys that JSON would write alike, such as 1 and "1".
pub(super) fn distinct(map: &Map) -> Result<(), WireError> {
    if map.iter().all(|(key, _)| matches!(key, Value::Text(_))) {
        return Ok(());
    }
    let mut seen = HashSet::with_capacity(map.len());
    for (name, _) in map {
        if let Some(meeting) = seen.replace(key(name)?) {
            return Err(WireError::new("map_key", format!("two keys are both written `{meeting}` in JSON")));
        }
    }
    Ok(())
}

/// Refuses one more level of nesting than is read back.
pub(super) fn deeper(depth: usize) -> Result<(), WireError> {
    if depth >= MAX_DEPTH { Err(WireError::too_deep()) } else { Ok(()) }
}

/// The refusal of an extension type.
pub(super) fn ext(code: i8) -> WireError {
    WireError::new("ext_not_json", format!("JSON cannot carry the extension type {code} of msgpack"))
}
