//! serde's data model into a [`Value`].

use std::any::type_name;

use serde::ser::{Serialize, Serializer};

use super::builder::{ListBuilder, MapBuilder, Tagged};
use super::native::{self, NATIVE};
use super::{Bytes, Integer, Map, Regime, Value, WireError, msgpack};

/// Encodes `value`; pictures, arrays and bytes inside are shared, not copied.
pub fn to_value<T: Serialize + ?Sized>(value: &T) -> Result<Value, WireError> {
    let _scope = native::Scope::enter(Regime::Json);
    value.serialize(Encoder)
}

/// Makes a [`Value`] of one value of serde's.
pub(super) struct Encoder;

impl Serializer for Encoder {
    type Ok = Value;
    type Error = WireError;
    type SerializeSeq = ListBuilder;
    type SerializeTuple = ListBuilder;
    type SerializeTupleStruct = ListBuilder;
    type SerializeTupleVariant = Tagged<ListBuilder>;
    type SerializeMap = MapBuilder;
    type SerializeStruct = MapBuilder;
    type SerializeStructVariant = Tagged<MapBuilder>;

    fn serialize_bool(self, yes: bool) -> Result<Value, WireError> {
        Ok(Value::Bool(yes))
    }

    fn serialize_i8(self, number: i8) -> Result<Value, WireError> {
        Ok(number.into())
    }

    fn serialize_i16(self, number: i16) -> Result<Value, WireError> {
        Ok(number.into())
    }

    fn serialize_i32(self, number: i32) -> Result<Value, WireError> {
        Ok(number.into())
    }

    fn serialize_i64(self, number: i64) -> Result<Value, WireError> {
        Ok(number.into())
    }

    /// What does not fit in 64 bits is decimal text in both regimes.
    fn serialize_i128(self, number: i128) -> Result<Value, WireError> {
        Ok(Integer::try_from(number).map_or_else(|_| number.to_string().into(), Value::Int))
    }

    fn serialize_u8(self, number: u8) -> Result<Value, WireError> {
        Ok(number.into())
    }

    fn serialize_u16(self, number: u16) -> Result<Value, WireError> {
        Ok(number.into())
    }

    fn serialize_u32(self, number: u32) -> Result<Value, WireError> {
        Ok(number.into())
    }

    fn serialize_u64(self, number: u64) -> Result<Value, WireError> {
        Ok(number.into())
    }

    fn serialize_u128(self, number: u128) -> Result<Value, WireError> {
        Ok(u64::try_from(number).map_or_else(|_| number.to_string().into(), Value::from))
    }

    fn serialize_f32(self, number: f32) -> Result<Value, WireError> {
        Ok(number.into())
    }

    fn serialize_f64(self, number: f64) -> Result<Value, WireError> {
        Ok(number.into())
    }

    fn serialize_char(self, character: char) -> Result<Value, WireError> {
        Ok(character.into())
    }

    fn serialize_str(self, text: &str) -> Result<Value, WireError> {
        Ok(text.into())
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<Value, WireError> {
        Ok(Value::Bytes(Bytes::from(bytes)))
    }

    fn serialize_none(self) -> Result<Value, WireError> {
        Ok(Value::Null)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Value, WireError> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<Value, WireError> {
        Ok(Value::Null)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<Value, WireError> {
        Ok(Value::Null)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<Value, WireError> {
        Ok(variant.into())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<Value, WireError> {
        if name == NATIVE {
            return native::borrow(|| value.serialize(self));
        }
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Value, WireError> {
        let content = value.serialize(self).map_err(|error| error.under(variant))?;
        Ok(tagged(variant, content))
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<ListBuilder, WireError> {
        Ok(ListBuilder::with_capacity(length.unwrap_or_default()))
    }

    fn serialize_tuple(self, length: usize) -> Result<ListBuilder, WireError> {
        Ok(ListBuilder::with_capacity(length))
    }

    fn serialize_tuple_struct(self, _: &'static str, length: usize) -> Result<ListBuilder, WireError> {
        Ok(ListBuilder::with_capacity(length))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Tagged<ListBuilder>, WireError> {
        Ok(Tagged { variant, content: ListBuilder::with_capacity(length) })
    }

    fn serialize_map(self, length: Option<usize>) -> Result<MapBuilder, WireError> {
        Ok(MapBuilder::of_any_keys(length.unwrap_or_default()))
    }

    fn serialize_struct(self, _: &'static str, length: usize) -> Result<MapBuilder, WireError> {
        Ok(MapBuilder::of_fields(length))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Tagged<MapBuilder>, WireError> {
        Ok(Tagged { variant, content: MapBuilder::of_fields(length) })
    }

    fn collect_seq<I>(self, items: I) -> Result<Value, WireError>
    where
        I: IntoIterator,
        I::Item: Serialize,
    {
        let unordered = is_hashed::<I>("HashSet");
        let items = items.into_iter();
        let mut list = ListBuilder::with_capacity(items.size_hint().0);
        for item in items {
            list.push(&item)?;
        }
        let mut items = list.items;
        if unordered {
            // As short as they are, since there are as many as items.
            items.sort_by_cached_key(|item| sort_key(item).into_boxed_slice());
        }
        Ok(Value::List(items))
    }

    fn collect_map<K, V, I>(self, entries: I) -> Result<Value, WireError>
    where
        K: Serialize,
        V: Serialize,
        I: IntoIterator<Item = (K, V)>,
    {
        let unordered = is_hashed::<I>("HashMap");
        let entries = entries.into_iter();
        let mut map = MapBuilder::of_any_keys(entries.size_hint().0);
        for (key, value) in entries {
            map.push(&key, &value)?;
        }
        let mut map = map.finish()?;
        if unordered {
            map.sort_by_key(sort_key);
        }
        Ok(Value::Map(map))
    }
}

pub(super) fn tagged(variant: &'static str, content: Value) -> Value {
    Value::Map(Map::from_iter([(variant, content)]))
}

/// Whether the collection has no order of its own, so that one has to be made for the same bytes on every run.
///
/// serde hands the collection over as an iterator, and nothing but its type tells a hash map from an ordered one.
/// A name that is not recognised costs the order of a map, never its content.
fn is_hashed<I>(collection: &str) -> bool {
    let name = type_name::<I>();
    let path = name.split_once('<').map_or(name, |(path, _)| path);
    path.strip_suffix(collection).is_some_and(|module| module.is_empty() || module.ends_with("::"))
}

/// The encoded bytes; what cannot be encoded is refused when it is sent.
fn sort_key(value: &Value) -> Vec<u8> {
    msgpack::encode(value).unwrap_or_default()
}
