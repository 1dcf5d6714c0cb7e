//! Lists and maps of a [`Value`] as serde walks them, and keys as the types that a map declares.

use std::borrow::Cow;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;

use super::de::{Decoder, visit_integer, wide};
use super::{Integer, Value, WireError, keys};

/// The items of a list.
pub(super) enum Items<'v> {
    Owned(Moved),
    Borrowed(std::slice::Iter<'v, Value>),
}

/// Items that are moved out of a list, which gives its memory back while it goes: what a long list is decoded to
/// grows as the list shrinks, so that both together take no more than the list did.
pub(super) struct Moved {
    front: std::vec::IntoIter<Value>,
    /// What follows, the last part first.
    rest: Vec<Vec<Value>>,
    left: usize,
}

impl Moved {
    /// Shorter lists are within the bound of a body (`wire.md` 4) as they are.
    const LONG: usize = 1 << 17;
    const PARTS: usize = 32;

    fn new(mut items: Vec<Value>) -> Self {
        let left = items.len();
        let mut rest = Vec::new();
        if left > Self::LONG {
            let part = left.div_ceil(Self::PARTS);
            while items.len() > part {
                rest.push(items.split_off(items.len() - part));
                items.shrink_to_fit();
            }
        }
        Self { front: items.into_iter(), rest, left }
    }

    fn next(&mut self) -> Option<Value> {
        let item = self.front.next().or_else(|| {
            self.front = self.rest.pop()?.into_iter();
            self.front.next()
        })?;
        self.left -= 1;
        Some(item)
    }
}

impl<'v> Items<'v> {
    pub(super) fn owned(items: Vec<Value>) -> Self {
        Self::Owned(Moved::new(items))
    }

    fn next(&mut self) -> Option<Cow<'v, Value>> {
        match self {
            Self::Owned(items) => items.next().map(Cow::Owned),
            Self::Borrowed(items) => items.next().map(Cow::Borrowed),
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Owned(items) => items.left,
            Self::Borrowed(items) => items.len(),
        }
    }

    pub(super) fn visit<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WireError> {
        let mut access = ItemAccess { items: self, at: 0 };
        let value = visitor.visit_seq(&mut access)?;
        match access.items.len() {
            0 => Ok(value),
            more => Err(WireError::new("wrong_type", format!("the list has {more} items too many"))),
        }
    }
}

struct ItemAccess<'v> {
    items: Items<'v>,
    at: usize,
}

impl<'de> SeqAccess<'de> for &mut ItemAccess<'_> {
    type Error = WireError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, WireError> {
        let Some(item) = self.items.next() else { return Ok(None) };
        let at = self.at;
        self.at += 1;
        seed.deserialize(Decoder(item)).map(Some).map_err(|error| error.under(at))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len())
    }
}

/// A key or a value, where it lies or moved out.
type Part<'v> = Cow<'v, Value>;

/// The entries of a map.
pub(super) enum Entries<'v> {
    Owned(std::vec::IntoIter<(Value, Value)>),
    Borrowed(std::slice::Iter<'v, (Value, Value)>),
}

impl<'v> Entries<'v> {
    /// The entries of what is a map.
    pub(super) fn of(value: Cow<'v, Value>) -> Option<Self> {
        match value {
            Cow::Owned(Value::Map(map)) => Some(Self::Owned(map.into_iter())),
            Cow::Borrowed(Value::Map(map)) => Some(Self::Borrowed(map.iter())),
            _ => None,
        }
    }

    pub(super) fn next(&mut self) -> Option<(Part<'v>, Part<'v>)> {
        match self {
            Self::Owned(entries) => entries.next().map(|(key, value)| (Cow::Owned(key), Cow::Owned(value))),
            Self::Borrowed(entries) => entries.next().map(|(key, value)| (Cow::Borrowed(key), Cow::Borrowed(value))),
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Owned(entries) => entries.len(),
            Self::Borrowed(entries) => entries.len(),
        }
    }

    pub(super) fn visit<'de, V: Visitor<'de>>(self, keys: Keys, visitor: V) -> Result<V::Value, WireError> {
        let mut access = EntryAccess { entries: self, keys, pending: None };
        let value = visitor.visit_map(&mut access)?;
        match access.entries.next() {
            None => Ok(value),
            Some((key, _)) => Err(WireError::new("unknown_field", "this name is not known here").under_key(&key)),
        }
    }
}

/// What the keys of the entries are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Keys {
    /// Names of fields, which are text; serde's derive would take an integer for the position of one.
    Names,
    /// Keys of a map, or of a map and a struct that it is flattened into, which asks for them as for names.
    Any,
}

struct EntryAccess<'v> {
    entries: Entries<'v>,
    keys: Keys,
    pending: Option<(Part<'v>, Part<'v>)>,
}

impl<'de> MapAccess<'de> for &mut EntryAccess<'_> {
    type Error = WireError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, WireError> {
        let Some((key, value)) = self.entries.next() else { return Ok(None) };
        let decoded = seed.deserialize(Key { key: &key, keys: self.keys }).map_err(|error| match error.kind {
            "out_of_range" | "wrong_type" => {
                WireError { kind: "map_key", pointer: String::new(), ..error }.under_key(&key)
            }
            _ => error,
        })?;
        // The key is kept for the pointer of an error in its value.
        self.pending = Some((key, value));
        Ok(Some(decoded))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, WireError> {
        let Some((key, value)) = self.pending.take() else {
            return Err(WireError::new("wrong_type", "a value was read before its key"));
        };
        seed.deserialize(Decoder(value)).map_err(|error| error.under_key(&key))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.entries.len())
    }
}

/// A key of a map. JSON writes every key as text, so text becomes what the map's key type is.
struct Key<'k> {
    key: &'k Value,
    keys: Keys,
}

impl Key<'_> {
    /// The refusal; a key that asks what the keys are gets it from the type that wants another one.
    fn wrong<'de, V: Visitor<'de>>(&self, expected: &str, visitor: V) -> Result<V::Value, WireError> {
        if let Some(asking) = keys::asking(self.key) {
            return visitor.visit_str(asking);
        }
        let text = format!("expected a key that is {expected}, got {}", self.key);
        Err(WireError::new("map_key", text).expecting(expected).under_key(self.key))
    }

    fn integer(&self) -> Option<Integer> {
        match self.key {
            Value::Int(number) => Some(*number),
            Value::Text(text) => Integer::written(text),
            _ => None,
        }
    }
}

macro_rules! integers {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WireError> {
            match self.integer() {
                Some(number) => visit_integer(number, visitor),
                None => self.wrong("an integer without sign or zeros before it", visitor),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for Key<'_> {
    type Error = WireError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WireError> {
        match self.key {
            Value::Text(text) => visitor.visit_str(text),
            key => Decoder(Cow::Borrowed(key)).deserialize_any(visitor),
        }
    }

    integers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
    }

    fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WireError> {
        match wide(self.key) {
            Some(number) => visitor.visit_i128(number),
            None => self.deserialize_i64(visitor),
        }
    }

    fn deserialize_u128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WireError> {
        match wide(self.key) {
            Some(number) => visitor.visit_u128(number),
            None => self.deserialize_u64(visitor),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WireError> {
        match self.key {
            Value::Bool(yes) => visitor.visit_bool(*yes),
            Value::Text(text) if text == "true" => visitor.visit_bool(true),
            Value::Text(text) if text == "false" => visitor.visit_bool(false),
            _ => self.wrong("`true` or `false`", visitor),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WireError> {
        match self.key {
            Value::Text(text) => visitor.visit_str(text),
            _ => self.wrong("text", visitor),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WireError> {
        self.deserialize_str(visitor)
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WireError> {
        self.deserialize_str(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WireError> {
        match self.keys {
            Keys::Names => self.deserialize_str(visitor),
            Keys::Any => self.deserialize_any(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WireError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, WireError> {
        if name == super::native::NATIVE {
            return Decoder(Cow::Borrowed(self.key)).deserialize_newtype_struct(name, visitor);
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, WireError> {
        match self.key {
            Value::Text(_) => Decoder(Cow::Borrowed(self.key)).deserialize_enum(name, variants, visitor),
            _ => self.wrong("text", visitor),
        }
    }

    forward_to_deserialize_any! {
        f32 f64 bytes byte_buf unit unit_struct seq tuple tuple_struct map struct ignored_any
    }
}
