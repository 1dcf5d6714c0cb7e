//! What an editor shows of a container: a few words a state, whatever it holds (`wire.md` 5).

use super::cell::Cell;
use super::{ContainerSpec, StateSpec};
use crate::wire::{MARKER, MAX_JSON_INTEGER, Map, Value, shown_as_json};

/// So many characters of a text are shown.
const LONGEST: usize = 100;
/// So many entries of a list.
const MOST: usize = 3;

pub(super) fn container(spec: &ContainerSpec, cells: &[Cell]) -> Value {
    let states = spec.states.iter().zip(cells).map(|(spec, cell)| (&*spec.name, state(spec, cell)));
    let states: Map = states.collect();
    [("label", Value::from(&*spec.label)), ("states", states.into())].into_iter().collect::<Map>().into()
}

fn state(spec: &StateSpec, cell: &Cell) -> Value {
    let mut shown = Map::new();
    shown.push("type", spec.reducer.as_str());
    shown.push("value_type", &*spec.value_type);
    match cell.latest() {
        None => value(&mut shown, cell.plain()),
        Some((key, latest)) => {
            shown.push("keys", cell.keys());
            match latest {
                Value::List(items) => shown.push("size", items.len()),
                other => {
                    if let Some(number) = number(other) {
                        shown.push("value", number);
                    }
                }
            }
            // A key is its writer's, and every later reply shows it.
            shown.push("preview", format!("[{}] {}", cut(key), text(latest)));
        }
    }
    shown.into()
}

fn value(shown: &mut Map, value: &Value) {
    match value {
        Value::List(items) => {
            shown.push("size", items.len());
            shown.push("preview", items.iter().take(MOST).map(entry).collect::<Value>());
        }
        other => match number(other) {
            Some(number) => shown.push("value", number),
            None => shown.push("preview", text(other)),
        },
    }
}

/// A number that both regimes carry; one that JSON would round is shown rounded.
fn number(value: &Value) -> Option<Value> {
    match value {
        Value::Int(number) if number.unsigned_abs() > MAX_JSON_INTEGER => Some(Value::Float(number.as_f64())),
        Value::Int(_) => Some(value.clone()),
        Value::Float(number) if number.is_finite() => Some(value.clone()),
        _ => None,
    }
}

/// An entry of a list: itself where it is small and both regimes have a word for it, else what a few characters say of it.
fn entry(value: &Value) -> Value {
    match value {
        Value::Text(text) => cut(text).into(),
        other => number(other).unwrap_or_else(|| {
            let text = shown_as_json(other, LONGEST + 1);
            if text.len() <= LONGEST && is_plain(other) { other.clone() } else { cut(&text).into() }
        }),
    }
}

/// Whether JSON and msgpack say a value alike.
fn is_plain(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(_) | Value::Text(_) => true,
        Value::List(items) => items.iter().all(is_plain),
        Value::Map(map) => {
            map.iter().all(|(key, value)| key.as_text().is_some_and(|key| key != MARKER) && is_plain(value))
        }
        Value::Int(number) => number.unsigned_abs() <= MAX_JSON_INTEGER,
        Value::Float(number) => number.is_finite(),
        Value::Bytes(_) | Value::Array(_) | Value::Image(_) | Value::Ext(..) => false,
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::Text(text) => cut(text),
        other => shown_as_json(other, LONGEST),
    }
}

fn cut(text: &str) -> String {
    text.chars().take(LONGEST).collect()
}
