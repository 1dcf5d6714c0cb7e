//! A large value cut short, so that explaining what is wrong with it costs no more than with a small one.

use serde_json::Value as Json;

use crate::wire::Value;

/// A value of fewer parts is explained as it is.
const FEW: usize = 2048;

/// How many items of a list are kept, unless the schema asks for more.
const KEPT: usize = 64;

/// What is left of a value.
pub(super) enum Shortened {
    /// It is small.
    Whole,
    /// Its lists end early.
    Cut(Value),
    /// It is large in another way.
    TooLarge,
}

/// How many items of a list are kept under this schema: a list that is cut must not be too short by that.
pub(super) fn kept(schema: &Json) -> usize {
    let least = match schema {
        Json::Object(members) => {
            let own = members.get("minItems").and_then(Json::as_u64).and_then(|least| usize::try_from(least).ok());
            members.values().map(kept).max().max(own)
        }
        Json::Array(items) => items.iter().map(kept).max(),
        _ => None,
    };
    least.unwrap_or_default().max(KEPT)
}

pub(super) fn shortened(value: &Value, kept: usize) -> Shortened {
    let mut left = FEW;
    if fits(value, &mut left) {
        return Shortened::Whole;
    }
    let mut left = FEW;
    cut(value, kept, &mut left).map_or(Shortened::TooLarge, Shortened::Cut)
}

/// Whether a value has no more than so many parts.
fn fits(value: &Value, left: &mut usize) -> bool {
    let Some(rest) = left.checked_sub(1) else { return false };
    *left = rest;
    match value {
        Value::List(items) => items.iter().all(|item| fits(item, left)),
        Value::Map(map) => map.iter().all(|(_, value)| fits(value, left)),
        _ => true,
    }
}

/// The value with lists of at most `kept` items; none when even that has too many parts.
fn cut(value: &Value, kept: usize, left: &mut usize) -> Option<Value> {
    *left = left.checked_sub(1)?;
    Some(match value {
        Value::List(items) => {
            Value::List(items.iter().take(kept).map(|item| cut(item, kept, left)).collect::<Option<_>>()?)
        }
        Value::Map(map) => {
            let entries = map.iter().map(|(key, value)| Some((key.clone(), cut(value, kept, left)?)));
            Value::Map(entries.collect::<Option<_>>()?)
        }
        other => other.clone(),
    })
}
