//! [`Bytes`], [`Tensor`], [`Image`] and [`Value`] as serde types with a schema.
//!
//! Within our own (de)serializer they travel as they are (see [`native`]); other formats get base64 and markers.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::de::refuse;
use super::native::{self, NATIVE};
use super::{Bytes, DType, Image, Map, Regime, Tensor, Value, WireError, X_WIRE, base64, marker};

/// A type of ours that passes through serde uncopied.
trait Native: Clone + Into<Value> {
    const EXPECTED: &'static str;

    fn read(value: Value) -> Result<Self, WireError>;
    fn write_portable<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;
}

/// Whether text and objects stand for what JSON cannot carry; in msgpack they never do.
fn json_forms() -> bool {
    native::regime() != Some(Regime::Msgpack)
}

impl Native for Bytes {
    const EXPECTED: &'static str = "bytes";

    fn read(value: Value) -> Result<Self, WireError> {
        match value {
            Value::Bytes(bytes) => Ok(bytes),
            Value::Text(text) if json_forms() => base64::decode(&text)
                .map(Self::from)
                .map_err(|why| WireError::new("wrong_type", format!("the bytes are {why}")).expecting("base64")),
            value => Err(WireError::wrong_type(Self::EXPECTED, value.describe())),
        }
    }

    fn write_portable<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&base64::encode(self))
    }
}

impl Native for Tensor {
    const EXPECTED: &'static str = "an array";

    fn read(value: Value) -> Result<Self, WireError> {
        match value {
            Value::Array(array) => Ok(array),
            Value::Image(image) => image.to_array(),
            Value::Map(map) if json_forms() && map.contains_key(marker::KEY) => marker::read(map),
            value => Err(WireError::wrong_type(Self::EXPECTED, value.describe())),
        }
    }

    fn write_portable<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        write_map(&marker::write(self), serializer)
    }
}

impl Native for Image {
    const EXPECTED: &'static str = "a picture";

    fn read(value: Value) -> Result<Self, WireError> {
        match value {
            Value::Image(image) => Ok(image),
            Value::Array(array) => Self::from_array(&array),
            Value::Text(text) if json_forms() => Self::from_base64(&text),
            Value::Map(map) if json_forms() && map.contains_key(marker::KEY) => Self::from_array(&marker::read(map)?),
            value => Err(WireError::wrong_type(Self::EXPECTED, value.describe())),
        }
    }

    fn write_portable<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let png = self.to_png().map_err(serde::ser::Error::custom)?;
        serializer.serialize_str(&base64::encode(&png))
    }
}

impl Native for Value {
    const EXPECTED: &'static str = "any value";

    fn read(value: Value) -> Result<Self, WireError> {
        match value {
            // What comes from a foreign format, or by way of a buffer of serde's, knows the marker alone.
            Value::Map(map)
                if (native::regime().is_none() || native::is_portable()) && map.contains_key(marker::KEY) =>
            {
                marker::read(map).map(Self::Array)
            }
            value => Ok(value),
        }
    }

    fn write_portable<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(yes) => serializer.serialize_bool(*yes),
            Self::Int(number) => match (number.as_u64(), number.as_i64()) {
                (Some(number), _) => serializer.serialize_u64(number),
                (None, number) => serializer.serialize_i64(number.unwrap_or_default()),
            },
            Self::Float(number) => serializer.serialize_f64(*number),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Bytes(bytes) => bytes.serialize(serializer),
            Self::List(items) => serializer.collect_seq(items),
            Self::Map(map) => write_map(map, serializer),
            Self::Array(array) => array.serialize(serializer),
            Self::Image(image) => image.serialize(serializer),
            Self::Ext(..) => Err(serde::ser::Error::custom("an extension type of msgpack has no other form")),
        }
    }
}

fn write_map<S: Serializer>(map: &Map, serializer: S) -> Result<S::Ok, S::Error> {
    let mut out = serializer.serialize_map(Some(map.len()))?;
    for (key, value) in map {
        out.serialize_entry(key, value)?;
    }
    out.end()
}

/// What stands inside the newtype that our serializer knows by its name.
struct Portable<'t, T>(&'t T);

impl<T: Native> Serialize for Portable<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if native::lend(|| self.0.clone().into()) {
            return serializer.serialize_unit();
        }
        self.0.write_portable(serializer)
    }
}

struct NativeVisitor<T>(std::marker::PhantomData<T>);

impl<T: Native> NativeVisitor<T> {
    fn read<E: serde::de::Error>(value: impl Into<Value>) -> Result<T, E> {
        T::read(value.into()).map_err(refuse)
    }
}

impl<'de, T: Native> Visitor<'de> for NativeVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::EXPECTED)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<T, E> {
        Self::read(Value::Null)
    }

    fn visit_none<E: serde::de::Error>(self) -> Result<T, E> {
        Self::read(Value::Null)
    }

    fn visit_bool<E: serde::de::Error>(self, yes: bool) -> Result<T, E> {
        Self::read(yes)
    }

    fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<T, E> {
        Self::read(number)
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<T, E> {
        Self::read(number)
    }

    fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<T, E> {
        Self::read(number)
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<T, E> {
        Self::read(text)
    }

    fn visit_string<E: serde::de::Error>(self, text: String) -> Result<T, E> {
        Self::read(text)
    }

    fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<T, E> {
        Self::read(native::withdraw(bytes).unwrap_or_else(|| Value::Bytes(Bytes::from(bytes))))
    }

    fn visit_byte_buf<E: serde::de::Error>(self, bytes: Vec<u8>) -> Result<T, E> {
        Self::read(native::withdraw(&bytes).unwrap_or_else(|| Value::Bytes(Bytes::from(bytes))))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<T, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element::<Value>()? {
            items.push(item);
        }
        Self::read(items)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<T, A::Error> {
        let mut map = Map::new();
        while let Some((key, value)) = access.next_entry::<Value, Value>()? {
            map.push(key, value);
        }
        Self::read(map)
    }
}

macro_rules! native {
    ($($ty:ident, $schema:ident;)*) => {$(
        impl Serialize for $ty {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_newtype_struct(NATIVE, &Portable(self))
            }
        }

        impl<'de> Deserialize<'de> for $ty {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_newtype_struct(NATIVE, NativeVisitor(std::marker::PhantomData))
            }
        }

        impl JsonSchema for $ty {
            fn schema_name() -> Cow<'static, str> {
                stringify!($ty).into()
            }

            fn schema_id() -> Cow<'static, str> {
                concat!("nodecast::", stringify!($ty)).into()
            }

            // A reference would say no more than the few lines do, and some clients resolve none.
            fn inline_schema() -> bool {
                true
            }

            fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                $schema(generator)
            }
        }
    )*};
}
native! {
    Bytes, bytes_schema;
    Tensor, tensor_schema;
    Image, image_schema;
    Value, value_schema;
}

fn bytes_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "string", "contentEncoding": "base64", (X_WIRE): "ANY"})
}

fn marker_schema(dtypes: &[DType], shape: serde_json::Value) -> serde_json::Value {
    let names: Vec<_> = dtypes.iter().map(|dtype| dtype.name()).collect();
    let dtype = match names.as_slice() {
        [name] => serde_json::json!({"type": "string", "const": name}),
        names => serde_json::json!({"type": "string", "enum": names}),
    };
    serde_json::json!({
        "type": "object",
        "properties": {
            (marker::KEY): {"type": "string", "contentEncoding": "base64"},
            "dtype": dtype,
            "shape": shape,
        },
        "required": [marker::KEY, "dtype", "shape"],
        "additionalProperties": false,
    })
}

/// The schema of an array of these element types, of a fixed number of dimensions where one is said.
pub(super) fn array_schema(dtypes: &[DType], rank: Option<usize>, wire_type: &str) -> Schema {
    let mut extents = serde_json::json!({
        "type": "array",
        "items": {"type": "integer", "minimum": 0},
        "maxItems": rank.unwrap_or(super::tensor::MAX_DIMENSIONS),
    });
    if let (Some(rank), Some(extents)) = (rank, extents.as_object_mut()) {
        extents.insert("minItems".to_owned(), rank.into());
    }
    let mut schema = schema_of(marker_schema(dtypes, extents));
    schema.insert(X_WIRE.to_owned(), wire_type.into());
    schema
}

fn tensor_schema(_: &mut SchemaGenerator) -> Schema {
    array_schema(&DType::ALL, None, "ANY")
}

fn image_schema(generator: &mut SchemaGenerator) -> Schema {
    let text = serde_json::json!({
        "type": "string",
        "contentEncoding": "base64",
        "contentMediaType": "image/png",
    });
    let mut schema = if generator.contract().is_serialize() {
        schema_of(text)
    } else {
        let extent = serde_json::json!({"type": "integer", "minimum": 1});
        let channels = serde_json::json!({"type": "integer", "enum": [3, 4]});
        let extents = serde_json::json!({
            "type": "array",
            "prefixItems": [extent, extent, channels],
            "minItems": 2,
            "maxItems": 3,
        });
        json_schema!({"anyOf": [text, marker_schema(&[DType::UInt8], extents)]})
    };
    schema.insert(X_WIRE.to_owned(), "IMAGE".into());
    schema
}

fn value_schema(_: &mut SchemaGenerator) -> Schema {
    let types = ["null", "boolean", "number", "string", "array"];
    let mut forms: Vec<_> = types.iter().map(|name| serde_json::json!({"type": name})).collect();
    // An object that says nothing of its members is one without any.
    forms.push(serde_json::json!({"type": "object", "additionalProperties": true}));
    json_schema!({"anyOf": forms, (X_WIRE): "ANY"})
}

/// What `json!` makes of an object literal is an object.
fn schema_of(value: serde_json::Value) -> Schema {
    Schema::try_from(value).unwrap_or_default()
}
