//! Lists and maps of a [`Value`] as serde fills them.

use serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant,
};

use super::ser::{Encoder, tagged};
use super::{Map, Value, WireError};

/// What serde says about a length is a hint of the user's type; it reserves no more than this.
const MOST_RESERVED: usize = 4096;

pub(super) struct ListBuilder {
    pub(super) items: Vec<Value>,
}

impl ListBuilder {
    pub(super) fn with_capacity(length: usize) -> Self {
        Self { items: Vec::with_capacity(length.min(MOST_RESERVED)) }
    }

    pub(super) fn push<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<(), WireError> {
        let item = item.serialize(Encoder).map_err(|error| error.under(self.items.len()))?;
        self.items.push(item);
        Ok(())
    }
}

macro_rules! lists {
    ($($trait:ident $method:ident)*) => {$(
        impl $trait for ListBuilder {
            type Ok = Value;
            type Error = WireError;

            fn $method<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<(), WireError> {
                self.push(item)
            }

            fn end(self) -> Result<Value, WireError> {
                Ok(Value::List(self.items))
            }
        }
    )*};
}
lists! { SerializeSeq serialize_element SerializeTuple serialize_element SerializeTupleStruct serialize_field }

pub(super) struct MapBuilder {
    map: Map,
    pending: Value,
    /// Fields of a struct are known to differ.
    checked: bool,
}

impl MapBuilder {
    pub(super) fn of_fields(length: usize) -> Self {
        Self { checked: true, ..Self::of_any_keys(length) }
    }

    pub(super) fn of_any_keys(length: usize) -> Self {
        let map = Map::with_capacity(length.min(MOST_RESERVED));
        Self { map, pending: Value::Null, checked: false }
    }

    pub(super) fn push<K: Serialize + ?Sized, V: Serialize + ?Sized>(
        &mut self,
        key: &K,
        value: &V,
    ) -> Result<(), WireError> {
        let key = key.serialize(Encoder)?;
        self.put(key, value)
    }

    fn put<V: Serialize + ?Sized>(&mut self, key: Value, value: &V) -> Result<(), WireError> {
        match value.serialize(Encoder) {
            Ok(value) => {
                self.map.push(key, value);
                Ok(())
            }
            Err(error) => Err(error.under_key(&key)),
        }
    }

    pub(super) fn finish(self) -> Result<Map, WireError> {
        if !self.checked
            && let Some(key) = self.map.duplicate()
        {
            return Err(WireError::duplicate_key(key));
        }
        Ok(self.map)
    }
}

impl SerializeMap for MapBuilder {
    type Ok = Value;
    type Error = WireError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), WireError> {
        self.pending = key.serialize(Encoder)?;
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), WireError> {
        let key = std::mem::take(&mut self.pending);
        self.put(key, value)
    }

    fn end(self) -> Result<Value, WireError> {
        self.finish().map(Value::Map)
    }
}

impl SerializeStruct for MapBuilder {
    type Ok = Value;
    type Error = WireError;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), WireError> {
        self.put(name.into(), value)
    }

    fn end(self) -> Result<Value, WireError> {
        self.finish().map(Value::Map)
    }
}

/// The content of an externally tagged variant.
pub(super) struct Tagged<B> {
    pub(super) variant: &'static str,
    pub(super) content: B,
}

impl SerializeTupleVariant for Tagged<ListBuilder> {
    type Ok = Value;
    type Error = WireError;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<(), WireError> {
        self.content.push(item).map_err(|error| error.under(self.variant))
    }

    fn end(self) -> Result<Value, WireError> {
        Ok(tagged(self.variant, Value::List(self.content.items)))
    }
}

impl SerializeStructVariant for Tagged<MapBuilder> {
    type Ok = Value;
    type Error = WireError;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), WireError> {
        self.content.put(name.into(), value).map_err(|error| error.under(self.variant))
    }

    fn end(self) -> Result<Value, WireError> {
        Ok(tagged(self.variant, Value::Map(self.content.finish()?)))
    }
}
