//! A [`Value`] as a serde deserializer that takes what the closed schema accepts, and nothing else.
//!
//! So integral floats are integers, structs are maps and never lists, nothing is ignored, a unit variant has no
//! content, and text keys become the integers and booleans that a map declares.

use std::borrow::Cow;
use std::fmt::Display;
use std::str::FromStr;

use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, VariantAccess, Visitor,
};

use super::access::{Entries, Items, Keys};
use super::native::{self, NATIVE};
use super::value::shown;
use super::{Integer, Regime, Value, WireError, marker};

/// Decodes `value` as `T`, as it came from JSON.
pub fn from_value<T: DeserializeOwned>(value: Value) -> Result<T, WireError> {
    from_value_in(value, Regime::Json)
}

/// Decodes `value` as `T`, as it came in the `regime`: base64 text stands for bytes and pictures in JSON alone.
pub fn from_value_in<T: DeserializeOwned>(mut value: Value, regime: Regime) -> Result<T, WireError> {
    let _scope = native::Scope::enter(regime);
    let other_forms = writes_less(&value) || regime == Regime::Json && value.holds_array();
    if !other_forms {
        return T::deserialize(Decoder(Cow::Owned(value)));
    }
    // serde buffers what is flattened, untagged or tagged inside, without saying that it wants an integer, or a key that
    // is no text. Only when what was sent does not do as it is, is it tried as what it writes: `1.0` stays a float in an
    // untagged `u8 | f64`. And a foreign type of any value does not know our arrays, but the object that marks one.
    T::deserialize(Decoder(Cow::Borrowed(&value))).or_else(|first| {
        write_more(&mut value);
        let _portable = (regime == Regime::Json).then(native::Portable::enter);
        T::deserialize(Decoder(Cow::Owned(value))).map_err(|_| first)
    })
}

/// Whether the value holds a float that may stand for an integer, or a key whose text may.
pub(crate) fn writes_less(value: &Value) -> bool {
    match value {
        Value::Float(number) => Integer::from_integral(*number).is_some(),
        Value::List(items) => items.iter().any(writes_less),
        Value::Map(map) => map.iter().any(|(key, value)| key_written(key).is_some() || writes_less(value)),
        _ => false,
    }
}

fn write_more(value: &mut Value) {
    match value {
        Value::Float(number) => {
            if let Some(integer) = Integer::from_integral(*number) {
                *value = Value::Int(integer);
            }
        }
        Value::List(items) => items.iter_mut().for_each(write_more),
        Value::Map(map) => {
            for (mut key, mut value) in std::mem::take(map) {
                write_more(&mut value);
                key = key_written(&key).unwrap_or(key);
                map.push(key, value);
            }
        }
        _ => {}
    }
}

/// What the text of a key writes, if not text.
fn key_written(key: &Value) -> Option<Value> {
    match key.as_text()? {
        "true" => Some(Value::Bool(true)),
        "false" => Some(Value::Bool(false)),
        text => Integer::written(text).map(Value::Int),
    }
}

/// One value being decoded: moved out where it is owned, copied where a second attempt may need it.
pub(super) struct Decoder<'v>(pub(super) Cow<'v, Value>);

impl Decoder<'_> {
    fn wrong<T>(&self, expected: &str) -> Result<T, WireError> {
        Err(WireError::wrong_type(expected, self.0.describe()))
    }

    fn entries<'de, V: Visitor<'de>>(self, keys: Keys, visitor: V) -> Result<V::Value, WireError> {
        let found = self.0.describe();
        match Entries::of(self.0) {
            Some(entries) => entries.visit(keys, visitor),
            None => Err(WireError::wrong_type("an object", found)),
        }
    }
}

pub(super) fn visit_integer<'de, V: Visitor<'de>>(number: Integer, visitor: V) -> Result<V::Value, WireError> {
    match (number.as_u64(), number.as_i64()) {
        (Some(number), _) => visitor.visit_u64(number),
        (None, Some(number)) => visitor.visit_i64(number),
        (None, None) => Err(WireError::wrong_type("an integer", "a number")),
    }
}

/// The integer beyond 64 bits that a text writes, as an [`Integer`] cannot hold it.
pub(super) fn wide<T: FromStr + Display>(value: &Value) -> Option<T> {
    let text = value.as_text()?;
    let fits = text.parse().is_ok_and(|number: i128| Integer::try_from(number).is_ok());
    let number: T = text.parse().ok().filter(|_| !fits)?;
    (number.to_string() == text).then_some(number)
}

macro_rules! integers {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WireError> {
            match *self.0 {
                Value::Int(number) => visit_integer(number, visitor),
                Value::Float(number) => match Integer::from_integral(number) {
                    Some(number) => visit_integer(number, visitor),
                    None => Err(WireError::wrong_type("an integer", &shown(number))),
                },
                _ => self.wrong("an integer"),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for Decoder<'_> {
    type Error = WireError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WireError> {
        match *self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(yes) => visitor.visit_bool(yes),
            Value::Int(number) => visit_integer(number, visitor),
            Value::Float(number) => visitor.visit_f64(number),
            Value::Text(_) => self.deserialize_string(visitor),
            // As plain bytes, since who asks for anything may be a foreign type that wants the bytes themselves.
            Value::Bytes(_) => self.deserialize_byte_buf(visitor),
            Value::List(_) => self.deserialize_seq(visitor),
            Value::Map(_) => self.deserialize_map(visitor),
            Value::Array(ref array) if native::is_portable() => {
                Decoder(Cow::Owned(marker::write(array).into())).deserialize_map(visitor)
            }
            Value::Array(_) | Value::Image(_) | Value::Ext(..) => {
                visitor.visit_bytes(&native::deposit(self.0.into_owned()))
            }
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WireError> {
        match *self.0 {
            Value::Bool(yes) => visitor.visit_bool(yes),
            _ => self.wrong("a boolean"),
        }
    }

    integers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
    }

    fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WireError> {
        match wide(&self.0) {
            Some(number) => visitor.visit_i128(number),
            None => self.deserialize_i64(visitor),
        }
    }

    fn deserialize_u128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WireError> {
        match wide(&self.0) {
            Some(number) => visitor.visit_u128(number),
            None => self.deserialize_u64(visitor),
        }
    }

    #[allow(clippy::cast_possible_truncation, reason = "the nearest f32 is what is asked for")]
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WireError> {
        match *self.0 {
            Value::Float(number) if number.is_finite() && (number as f32).is_infinite() => {
                let range = format!("a number from {:?} to {:?}", f32::MIN, f32::MAX);
                Err(WireError::new("out_of_range", format!("expected {range}, got {number:?}")).expecting(range))
            }
            Value::Float(number) => visitor.visit_f64(number),
            // By way of f64 it would be rounded twice.
            Value::Int(number) => visit_integer(number, visitor),
            _ => self.wrong("a number"),
        }
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WireError> {
        match *self.0 {
            Value::Float(number) => visitor.visit_f64(number),
            Value::Int(number) => visitor.visit_f64(number.as_f64()),
            _ => self.wrong("a number"),
        }
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WireError> {
        match &*self.0 {
            Value::Text(text) => visitor.visit_str(text),
            _ => self.wrong("a single character"),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WireError> {
        self.deserialize_string(visitor)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WireError> {
        match self.0 {
            Cow::Owned(Value::Text(text)) => visitor.visit_string(text),
            Cow::Borrowed(Value::Text(text)) => visitor.visit_str(text),
            _ => self.wrong("text"),
        }
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WireError> {
        self.deserialize_byte_buf(visitor)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WireError> {
        match self.0 {
            Cow::Owned(Value::Bytes(bytes)) => visitor.visit_byte_buf(bytes.into_vec()),
            Cow::Borrowed(Value::Bytes(bytes)) => visitor.visit_bytes(bytes),
            _ => self.wrong("bytes"),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WireError> {
        match *self.0 {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WireError> {
        match *self.0 {
            Value::Null => visitor.visit_unit(),
            _ => self.wrong("null"),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, WireError> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, WireError> {
        match *self.0 {
            _ if name != NATIVE => visitor.visit_newtype_struct(self),
            // One of our own types asks: it gets the value itself.
            Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Text(_) => {
                self.deserialize_any(visitor)
            }
            _ => visitor.visit_bytes(&native::deposit(self.0.into_owned())),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WireError> {
        match self.0 {
            Cow::Owned(Value::List(items)) => Items::owned(items).visit(visitor),
            Cow::Borrowed(Value::List(items)) => Items::Borrowed(items.iter()).visit(visitor),
            _ => self.wrong("a list"),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, WireError> {
        match &*self.0 {
            Value::List(items) if items.len() != length => {
                let expected = format!("a list of {length} items");
                Err(WireError::new("wrong_type", format!("expected {expected}, got {}", items.len()))
                    .expecting(expected))
            }
            _ => self.deserialize_seq(visitor),
        }
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, WireError> {
        self.deserialize_tuple(length, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WireError> {
        self.entries(Keys::Any, visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, WireError> {
        self.entries(Keys::Names, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, WireError> {
        match &*self.0 {
            Value::Text(name) => visitor.visit_enum(Variant { name: name.clone(), content: None }),
            Value::Map(map) if map.len() == 1 => match Entries::of(self.0).and_then(|mut entries| entries.next()) {
                Some((key, content)) => match &*key {
                    Value::Text(name) => visitor.visit_enum(Variant { name: name.clone(), content: Some(content) }),
                    _ => Err(WireError::wrong_type("an object whose key is text", "another key")),
                },
                None => Err(WireError::wrong_type("an object", "another value")),
            },
            Value::Map(map) => {
                let options = variants.join("`, `");
                let text = format!("expected an object with one of the keys `{options}`, got {} keys", map.len());
                Err(WireError::new("wrong_type", text))
            }
            _ => self.wrong("text, or an object with one key"),
        }
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WireError> {
        self.deserialize_string(visitor)
    }

    /// Whatever a type would ignore is not in its contract, so it is refused.
    fn deserialize_ignored_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, WireError> {
        Err(WireError::new("unknown_field", "this name is not known here"))
    }
}

/// An externally tagged variant.
struct Variant<'v> {
    name: String,
    content: Option<Cow<'v, Value>>,
}

impl<'de, 'v> EnumAccess<'de> for Variant<'v> {
    type Error = WireError;
    type Variant = Content<'v>;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Content<'v>), WireError> {
        let name: StrDeserializer<'_, WireError> = self.name.as_str().into_deserializer();
        let tag = seed.deserialize(name)?;
        Ok((tag, Content { name: self.name, content: self.content }))
    }
}

struct Content<'v> {
    name: String,
    content: Option<Cow<'v, Value>>,
}

impl<'v> Content<'v> {
    fn decode<T>(self, decode: impl FnOnce(Decoder<'v>) -> Result<T, WireError>) -> Result<T, WireError> {
        let Some(content) = self.content else {
            let expected = format!("an object with the key `{}`", self.name);
            return Err(WireError::wrong_type(&expected, "text"));
        };
        decode(Decoder(content)).map_err(|error| error.under(self.name))
    }
}

impl<'de> VariantAccess<'de> for Content<'_> {
    type Error = WireError;

    fn unit_variant(self) -> Result<(), WireError> {
        match self.content {
            None => Ok(()),
            Some(_) => Err(WireError::wrong_type(&format!("the text `{}`", self.name), "an object")),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, WireError> {
        self.decode(|content| seed.deserialize(content))
    }

    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, WireError> {
        self.decode(|content| content.deserialize_tuple(length, visitor))
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, WireError> {
        self.decode(|content| content.entries(Keys::Names, visitor))
    }
}

/// Text that serde's own error constructors give a kind of ours.
pub(super) fn refuse<E: serde::de::Error>(error: WireError) -> E {
    native::with_kind(error.kind, || E::custom(error.detail))
}
