//! One state: a value, and one more a key that was written; what a write does to them.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::StateSpec;
use crate::decl::Reducer;
use crate::wire::{Integer, Regime, Value, WireError};

/// The values of one state.
pub(super) struct Cell {
    initial: Arc<Value>,
    plain: Arc<Value>,
    keyed: BTreeMap<String, Keyed>,
    /// Counts the writes, so that the latest is known.
    writes: u64,
}

struct Keyed {
    value: Arc<Value>,
    written: u64,
}

impl Cell {
    pub(super) fn new(initial: &Value) -> Self {
        let initial = Arc::new(initial.clone());
        Self { plain: initial.clone(), initial, keyed: BTreeMap::new(), writes: 0 }
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.keyed.contains_key(key)
    }

    pub(super) fn keys(&self) -> usize {
        self.keyed.len()
    }

    /// Reading creates nothing.
    pub(super) fn read(&self, key: Option<&str>) -> Arc<Value> {
        match key {
            None => self.plain.clone(),
            Some(key) => self.keyed.get(key).map_or(&self.initial, |keyed| &keyed.value).clone(),
        }
    }

    pub(super) fn write(&mut self, spec: &StateSpec, key: Option<&str>, data: Value) -> Result<(), WireError> {
        let Some(key) = key else { return reduce(spec, &mut self.plain, data) };
        self.writes += 1;
        if let Some(keyed) = self.keyed.get_mut(key) {
            keyed.written = self.writes;
            return reduce(spec, &mut keyed.value, data);
        }
        // What cannot be written leaves no key behind.
        let mut value = self.initial.clone();
        reduce(spec, &mut value, data)?;
        self.keyed.insert(key.to_owned(), Keyed { value, written: self.writes });
        Ok(())
    }

    pub(super) fn evict(&mut self, key: &str) -> bool {
        self.keyed.remove(key).is_some()
    }

    /// The key that was written last, and its value.
    pub(super) fn latest(&self) -> Option<(&str, &Value)> {
        let latest = self.keyed.iter().max_by_key(|(_, keyed)| keyed.written);
        latest.map(|(key, keyed)| (key.as_str(), &*keyed.value))
    }

    pub(super) fn plain(&self) -> &Value {
        &self.plain
    }
}

fn reduce(spec: &StateSpec, value: &mut Arc<Value>, data: Value) -> Result<(), WireError> {
    match spec.reducer {
        Reducer::LastWrite => *value = Arc::new(data),
        Reducer::Accumulator => {
            // Whoever still reads the list keeps it as it was.
            if let Value::List(items) = Arc::make_mut(value) {
                items.push(data);
                let excess = spec.max_size.map_or(0, |most| items.len().saturating_sub(most));
                items.drain(..excess);
            }
        }
        Reducer::Counter => {
            let sum = sum(value, &data).ok_or_else(|| out_of_range(value, &data))?;
            // The sum must be a number of the state's own type too.
            *value = Arc::new((spec.normal)(sum, Regime::Msgpack).map_err(|_| out_of_range(value, &data))?);
        }
    }
    Ok(())
}

fn sum(value: &Value, data: &Value) -> Option<Value> {
    if let (Value::Int(value), Value::Int(data)) = (value, data) {
        return Integer::try_from(wide(*value)? + wide(*data)?).ok().map(Value::Int);
    }
    let sum = value.as_f64()? + data.as_f64()?;
    sum.is_finite().then_some(Value::Float(sum))
}

fn wide(number: Integer) -> Option<i128> {
    number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from))
}

fn out_of_range(value: &Value, data: &Value) -> WireError {
    WireError::new("out_of_range", format!("the counter is at {value}, and cannot count {data} more"))
}
