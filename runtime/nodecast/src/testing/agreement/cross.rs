//! A value of JSON as it arrives in each regime.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Number, Value as Json};

use super::dice::Dice;
use super::generate::{Place, under};
use crate::wire::{Bytes, Image, Integer, MAX_JSON_INTEGER, Value, WireError, json, msgpack};

/// The body of JSON, read.
pub(super) fn json(arguments: &Json) -> Result<Value, WireError> {
    json::decode(arguments.to_string().as_bytes())
}

/// The body of msgpack, read: what JSON writes as text or as a marked object is itself there.
pub(super) fn msgpack(arguments: &Json, places: &[Place<'_>], dice: &mut Dice) -> Result<Value, WireError> {
    let places = places.iter().map(|place| (place.pointer.as_str(), place)).collect();
    let value = Crossing { places, dice }.value(arguments, "");
    msgpack::decode(&msgpack::encode(&value)?)
}

struct Crossing<'p, 's, 'd> {
    places: BTreeMap<&'p str, &'p Place<'s>>,
    dice: &'d mut Dice,
}

impl Crossing<'_, '_, '_> {
    /// The value in the form that msgpack has for it; what has none stays.
    fn value(&mut self, json: &Json, pointer: &str) -> Value {
        let place = self.places.get(pointer).copied();
        match (json, place) {
            (Json::String(text), Some(place)) if place.form.has("contentMediaType") => {
                Image::from_base64(text).map_or_else(|_| text.as_str().into(), Value::from)
            }
            (Json::String(text), Some(place)) if place.form.has("contentEncoding") => {
                STANDARD.decode(text).map_or_else(|_| text.as_str().into(), |bytes| Bytes::from(bytes).into())
            }
            (Json::Object(_), Some(place)) if place.form.is_marker() => {
                Value::from_json(json.clone()).unwrap_or_else(|_| json.clone().into())
            }
            (Json::Array(items), _) => {
                items.iter().enumerate().map(|(at, item)| self.value(item, &format!("{pointer}/{at}"))).collect()
            }
            (Json::Object(members), place) => {
                // Integer keys are integers, and decimal text will do; of a union another form may be meant by text.
                let is_alone = |place: &Place<'_>| !place.form.is_union && has_integer_keys(place);
                let integers = place.is_some_and(is_alone) && self.dice.one_in(2);
                let members = members.iter().map(|(name, member)| {
                    let member = self.value(member, &under(pointer, name));
                    (if integers { as_integer(name) } else { name.as_str().into() }, member)
                });
                Value::Map(members.collect())
            }
            (other, _) => other.clone().into(),
        }
    }
}

fn has_integer_keys(place: &Place<'_>) -> bool {
    let writes_digits = |names: &Json| {
        let pattern = names.get("pattern").and_then(Json::as_str);
        pattern.is_some_and(|pattern| pattern.contains("[0-9]") || pattern.contains(r"[1-9]\d"))
    };
    place.form.all("propertyNames").any(|names| {
        let others = names.get("anyOf").and_then(Json::as_array);
        writes_digits(names) || others.is_some_and(|others| others.iter().any(writes_digits))
    })
}

fn as_integer(key: &str) -> Value {
    let number = key.parse::<i64>().ok().filter(|number| number.to_string() == key);
    number.map_or_else(|| key.into(), Value::from)
}

/// Whether the value holds an integer that JSON does not carry.
pub(super) fn is_beyond_json(value: &Json) -> bool {
    match value {
        Json::Number(number) => carried(number).is_some(),
        Json::Array(items) => items.iter().any(is_beyond_json),
        Json::Object(members) => members.values().any(is_beyond_json),
        _ => false,
    }
}

/// The value with integers that JSON carries in place of those that it does not: near the end of its range, and apart
/// from each other, since a set may hold them.
pub(super) fn within_json(value: &Json) -> Json {
    match value {
        Json::Number(number) => carried(number).map_or_else(|| value.clone(), Json::from),
        Json::Array(items) => items.iter().map(within_json).collect(),
        Json::Object(members) => members.iter().map(|(name, value)| (name.clone(), within_json(value))).collect(),
        other => other.clone(),
    }
}

/// The value in which floats that are whole, and beyond what they stand for exactly, are not: they are no integers.
pub(super) fn halved(value: &Json) -> Json {
    match value {
        Json::Number(number) if number.is_f64() => match number.as_f64() {
            Some(float) if float.fract() == 0.0 && Integer::from_integral(float).is_none() => 0.5.into(),
            _ => value.clone(),
        },
        Json::Array(items) => items.iter().map(halved).collect(),
        Json::Object(members) => members.iter().map(|(name, value)| (name.clone(), halved(value))).collect(),
        other => other.clone(),
    }
}

/// An integer that JSON carries, for one that it does not.
fn carried(number: &Number) -> Option<i64> {
    const REACH: i64 = MAX_JSON_INTEGER.cast_signed();
    const APART: u64 = 997;
    let near = |size: u64| REACH - (size % APART).cast_signed() - 1;
    match (number.as_i64(), number.as_u64()) {
        (Some(number), _) if number > REACH => Some(near(number.unsigned_abs())),
        (Some(number), _) if number < -REACH => Some(-near(number.unsigned_abs())),
        (None, Some(number)) => Some(near(number)),
        _ => None,
    }
}
