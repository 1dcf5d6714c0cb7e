//! An ordered map with any value as its key.

use std::collections::HashSet;

use super::twin::{By, twin};
use super::{Value, msgpack};

/// Entries in the order in which they were written; keys are any value, mostly text.
#[derive(Clone, Default, PartialEq)]
pub struct Map(Vec<(Value, Value)>);

impl Map {
    /// An empty map.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// An empty map with room for so many entries.
    pub fn with_capacity(capacity: usize) -> Self {
        Self(Vec::with_capacity(capacity))
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value under a text key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.0.iter().find(|(name, _)| name.as_text() == Some(key)).map(|(_, value)| value)
    }

    /// Whether there is such a text key.
    pub fn contains_key(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// Takes the entry under a text key out, keeping the order of the others.
    pub fn remove(&mut self, key: &str) -> Option<Value> {
        let index = self.0.iter().position(|(name, _)| name.as_text() == Some(key))?;
        Some(self.0.remove(index).1)
    }

    /// Sets a key: replaces its value where it stands, else adds it at the end.
    pub fn insert(&mut self, key: impl Into<Value>, value: impl Into<Value>) -> Option<Value> {
        let (key, value) = (key.into(), value.into());
        if let Some((_, slot)) = self.0.iter_mut().find(|(name, _)| *name == key) {
            return Some(std::mem::replace(slot, value));
        }
        self.0.push((key, value));
        None
    }

    /// Adds an entry at the end without looking for its key among those before it.
    pub fn push(&mut self, key: impl Into<Value>, value: impl Into<Value>) {
        self.0.push((key.into(), value.into()));
    }

    /// The entries in order.
    pub fn iter(&self) -> std::slice::Iter<'_, (Value, Value)> {
        self.0.iter()
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = (&Value, &mut Value)> {
        self.0.iter_mut().map(|(key, value)| (&*key, value))
    }

    /// Puts the entries in the order of their keys: numbers, then text, each in its own order, then the rest by `bytes`.
    pub(crate) fn sort_by_key(&mut self, bytes: impl Fn(&Value) -> Vec<u8>) {
        let kind = |key: &Value| match key {
            Value::Int(_) => 0,
            Value::Text(_) => 1,
            _ => 2,
        };
        self.0.sort_by(|(one, _), (other, _)| match (one, other) {
            (Value::Text(one), Value::Text(other)) => one.cmp(other),
            (Value::Int(one), Value::Int(other)) => one.cmp(other),
            _ => kind(one).cmp(&kind(other)).then_with(|| bytes(one).cmp(&bytes(other))),
        });
    }

    /// Of a key that stands twice, keeps what stands last.
    pub(crate) fn keep_last(&mut self) {
        if self.duplicate().is_none() {
            return;
        }
        let mut seen = HashSet::new();
        let entries = std::mem::take(&mut self.0);
        self.0 = entries.into_iter().rev().filter(|(key, _)| seen.insert(msgpack::encode(key).ok())).collect();
        self.0.reverse();
    }

    /// A key that stands twice, if there is one.
    pub(crate) fn duplicate(&self) -> Option<&Value> {
        twin(&self.0, |(key, _)| key, By::Form)
    }
}

impl FromIterator<(Value, Value)> for Map {
    fn from_iter<I: IntoIterator<Item = (Value, Value)>>(entries: I) -> Self {
        Self(entries.into_iter().collect())
    }
}

impl FromIterator<(String, Value)> for Map {
    fn from_iter<I: IntoIterator<Item = (String, Value)>>(entries: I) -> Self {
        Self(entries.into_iter().map(|(key, value)| (Value::Text(key), value)).collect())
    }
}

impl<'a> FromIterator<(&'a str, Value)> for Map {
    fn from_iter<I: IntoIterator<Item = (&'a str, Value)>>(entries: I) -> Self {
        Self(entries.into_iter().map(|(key, value)| (Value::from(key), value)).collect())
    }
}

impl IntoIterator for Map {
    type Item = (Value, Value);
    type IntoIter = std::vec::IntoIter<(Value, Value)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a Map {
    type Item = &'a (Value, Value);
    type IntoIter = std::slice::Iter<'a, (Value, Value)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::{Map, Value};

    #[test]
    fn duplicates_are_found_among_few_and_many() {
        for count in [3_i64, 1_000] {
            let mut map: Map = (0..count).map(|n| (Value::from(n), Value::Null)).collect();
            assert_eq!(map.duplicate(), None);
            map.push(1_i64, Value::Null);
            assert_eq!(map.duplicate(), Some(&Value::from(1_i64)));
        }
    }

    #[test]
    fn an_integer_and_its_text_are_two_keys() {
        let map: Map = [(Value::from(1_i64), Value::Null), (Value::from("1"), Value::Null)].into_iter().collect();
        assert_eq!(map.duplicate(), None);
    }
}
