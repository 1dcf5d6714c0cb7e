//! `serde_json`'s tree and ours.

use serde_json::Number;

use super::rules;
use crate::wire::{Integer, Map, Value, WireError, base64, marker};

impl From<Number> for Value {
    fn from(number: Number) -> Self {
        match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => Self::Int(Integer::from(number)),
            (None, Some(number)) => Self::Int(Integer::from(number)),
            (None, None) => Self::Float(number.as_f64().unwrap_or(f64::NAN)),
        }
    }
}

/// The same tree. An object that marks an array stays an object; [`Value::from_json`] reads it as the array.
impl From<serde_json::Value> for Value {
    fn from(json: serde_json::Value) -> Self {
        match json {
            serde_json::Value::Null => Self::Null,
            serde_json::Value::Bool(yes) => Self::Bool(yes),
            serde_json::Value::Number(number) => number.into(),
            serde_json::Value::String(text) => Self::Text(text),
            serde_json::Value::Array(items) => items.into_iter().map(Self::from).collect(),
            serde_json::Value::Object(members) => {
                Self::Map(members.into_iter().map(|(key, value)| (key, Self::from(value))).collect())
            }
        }
    }
}

impl Value {
    /// Reads what came as JSON by the rules of that regime: marked arrays are read, integers beyond ±(2^53−1) are floats.
    pub fn from_json(json: serde_json::Value) -> Result<Self, WireError> {
        Self::from(json).read()
    }

    /// The same of a tree in which nothing has been read yet.
    pub(crate) fn read(self) -> Result<Self, WireError> {
        match self {
            Self::Int(number) => Ok(rules::read(number)),
            Self::List(items) => {
                let read = |(at, item): (usize, Self)| item.read().map_err(|error| error.under(at));
                items.into_iter().enumerate().map(read).collect::<Result<_, _>>().map(Self::List)
            }
            Self::Map(members) => {
                let is_array = members.contains_key(marker::KEY);
                let read = |(key, member): (Self, Self)| match member.read() {
                    Ok(member) => Ok((key, member)),
                    Err(error) => Err(error.under_key(&key)),
                };
                let map: Map = members.into_iter().map(read).collect::<Result<_, WireError>>()?;
                if is_array { marker::read(map).map(Self::Array) } else { Ok(Self::Map(map)) }
            }
            scalar => Ok(scalar),
        }
    }

    /// The value as JSON, by the rules of that regime.
    pub fn to_json(&self) -> Result<serde_json::Value, WireError> {
        to_json(self, 0)
    }
}

fn to_json(value: &Value, depth: usize) -> Result<serde_json::Value, WireError> {
    Ok(match value {
        Value::Null => serde_json::Value::Null,
        Value::Bool(yes) => (*yes).into(),
        Value::Int(number) => rules::integer(*number)?.as_i64().into(),
        Value::Float(number) => rules::finite(*number)?.into(),
        Value::Text(text) => text.as_str().into(),
        Value::Bytes(bytes) => base64::encode(bytes).into(),
        Value::Image(image) => base64::encode(&image.to_png()?).into(),
        Value::List(items) => {
            rules::deeper(depth)?;
            let write = |(at, item)| to_json(item, depth + 1).map_err(|error| error.under(at));
            items.iter().enumerate().map(write).collect::<Result<Vec<_>, _>>()?.into()
        }
        Value::Map(map) => {
            rules::deeper(depth)?;
            rules::distinct(map)?;
            object(map, depth + 1)?
        }
        Value::Array(array) => {
            // Its object holds a list.
            rules::deeper(depth + 1)?;
            serde_json::to_value(array).map_err(|_| WireError::new("bad_output", "the array cannot be written"))?
        }
        Value::Ext(code, _) => return Err(rules::ext(*code)),
    })
}

fn object(map: &Map, depth: usize) -> Result<serde_json::Value, WireError> {
    let mut members = serde_json::Map::with_capacity(map.len());
    for (key, value) in map {
        let value = to_json(value, depth).map_err(|error| error.under_key(key))?;
        members.insert(rules::key(key)?.into_owned(), value);
    }
    Ok(members.into())
}
