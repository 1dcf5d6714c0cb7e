//! What stands for a value that was left out.

use serde::de::{DeserializeOwned, Deserializer, Visitor};
use serde::forward_to_deserialize_any;

use super::WireError;

/// Decodes a `T` that was left out: only what answers to an absent value, such as an `Option`, can be.
pub fn from_missing<T: DeserializeOwned>() -> Result<T, WireError> {
    T::deserialize(Missing)
}

/// Whether `T` decodes when its value is left out.
pub fn accepts_missing<T: DeserializeOwned>() -> bool {
    from_missing::<T>().is_ok()
}

/// A value that was left out. It answers to one question alone.
struct Missing;

impl<'de> Deserializer<'de> for Missing {
    type Error = WireError;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, WireError> {
        Err(WireError::new("missing_field", "the value is missing"))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WireError> {
        visitor.visit_none()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
