//! The one owned value tree that every face meets at.

use std::fmt;

use super::{Bytes, Image, Integer, Map, Tensor};

/// A value of any shape, as both regimes carry it.
#[derive(Clone, Default, PartialEq)]
pub enum Value {
    /// Nothing.
    #[default]
    Null,
    /// A truth value.
    Bool(bool),
    /// An integer, exact.
    Int(Integer),
    /// A float.
    Float(f64),
    /// Text.
    Text(String),
    /// Bytes, shared.
    Bytes(Bytes),
    /// A list.
    List(Vec<Value>),
    /// A map with any key, in order.
    Map(Map),
    /// An array, shared.
    Array(Tensor),
    /// A picture, shared.
    Image(Image),
    /// An extension type of msgpack that is none of ours: its code and its bytes.
    Ext(i8, Bytes),
}

impl Value {
    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(yes) => Some(*yes),
            _ => None,
        }
    }

    /// The integer, if it is one.
    pub fn as_int(&self) -> Option<Integer> {
        match self {
            Self::Int(number) => Some(*number),
            _ => None,
        }
    }

    /// The integer, if it is one and fits.
    pub fn as_i64(&self) -> Option<i64> {
        self.as_int().and_then(Integer::as_i64)
    }

    /// The integer, if it is one and fits.
    pub fn as_u64(&self) -> Option<u64> {
        self.as_int().and_then(Integer::as_u64)
    }

    /// The number, integer or float.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Self::Int(number) => Some(number.as_f64()),
            Self::Float(number) => Some(*number),
            _ => None,
        }
    }

    /// The text, if it is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The bytes, if they are such.
    pub fn as_bytes(&self) -> Option<&Bytes> {
        match self {
            Self::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// The items, if it is a list.
    pub fn as_list(&self) -> Option<&[Value]> {
        match self {
            Self::List(items) => Some(items),
            _ => None,
        }
    }

    /// The map, if it is one.
    pub fn as_map(&self) -> Option<&Map> {
        match self {
            Self::Map(map) => Some(map),
            _ => None,
        }
    }

    /// The array, if it is one.
    pub fn as_array(&self) -> Option<&Tensor> {
        match self {
            Self::Array(array) => Some(array),
            _ => None,
        }
    }

    /// The picture, if it is one.
    pub fn as_image(&self) -> Option<&Image> {
        match self {
            Self::Image(image) => Some(image),
            _ => None,
        }
    }

    /// Whether it is nothing.
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// The member of a map under a text key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.as_map()?.get(key)
    }

    /// The value at a JSON pointer; the empty one is the value itself.
    pub fn pointer(&self, pointer: &str) -> Option<&Value> {
        if pointer.is_empty() {
            return Some(self);
        }
        pointer.strip_prefix('/')?.split('/').try_fold(self, |value, token| match value {
            Self::Map(map) if token.contains('~') => map.get(&token.replace("~1", "/").replace("~0", "~")),
            Self::Map(map) => map.get(token),
            Self::List(items) => items.get(token.parse::<usize>().ok()?),
            _ => None,
        })
    }

    /// Whether an array stands anywhere in it.
    pub(crate) fn holds_array(&self) -> bool {
        match self {
            Self::Array(_) => true,
            Self::List(items) => items.iter().any(Self::holds_array),
            Self::Map(map) => map.iter().any(|(_, value)| value.holds_array()),
            _ => false,
        }
    }

    /// What it is, for a sentence.
    pub fn describe(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Int(_) => "an integer",
            Self::Float(_) => "a number",
            Self::Text(_) => "text",
            Self::Bytes(_) => "bytes",
            Self::List(_) => "a list",
            Self::Map(_) => "an object",
            Self::Array(_) => "an array",
            Self::Image(_) => "a picture",
            Self::Ext(..) => "an extension type",
        }
    }
}

macro_rules! from {
    ($($variant:ident: $($ty:ty)*;)*) => {$($(
        impl From<$ty> for Value {
            fn from(value: $ty) -> Self {
                Self::$variant(value.into())
            }
        }
    )*)*};
}
from! {
    Bool: bool;
    Int: Integer i8 i16 i32 i64 u8 u16 u32 u64 usize;
    Float: f32 f64;
    Text: String &str char;
    Bytes: Bytes bytes::Bytes;
    List: Vec<Value>;
    Map: Map;
    Array: Tensor;
    Image: Image;
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl FromIterator<Value> for Value {
    fn from_iter<I: IntoIterator<Item = Value>>(items: I) -> Self {
        Self::List(items.into_iter().collect())
    }
}

/// A float as it may have been sent: shortest, and a zero with a sign without a point, as JSON's integer `-0` arrives.
pub(crate) fn shown(number: f64) -> String {
    if number == 0.0 && number.is_sign_negative() { "-0".to_owned() } else { format!("{number:?}") }
}

/// Text longer than this, and members beyond [`MANY`], are cut: a value may hold megabytes.
const LONG: usize = 80;
const MANY: usize = 8;
const DEEP: usize = 4;

impl Value {
    fn write(&self, f: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(yes) => write!(f, "{yes}"),
            Self::Int(number) => write!(f, "{number}"),
            Self::Float(number) => f.write_str(&shown(*number)),
            Self::Text(text) => match text.char_indices().nth(LONG) {
                Some((end, _)) => write!(f, "{:?}… ({} bytes)", text.get(..end).unwrap_or_default(), text.len()),
                None => write!(f, "{text:?}"),
            },
            Self::Bytes(bytes) => write!(f, "bytes({})", bytes.len()),
            Self::List(items) if depth >= DEEP => write!(f, "[… {}]", items.len()),
            Self::List(items) => {
                f.write_str("[")?;
                for (at, item) in items.iter().take(MANY).enumerate() {
                    f.write_str(if at > 0 { ", " } else { "" })?;
                    item.write(f, depth + 1)?;
                }
                cut(f, items.len())?;
                f.write_str("]")
            }
            Self::Map(map) if depth >= DEEP => write!(f, "{{… {}}}", map.len()),
            Self::Map(map) => {
                f.write_str("{")?;
                for (at, (key, value)) in map.iter().take(MANY).enumerate() {
                    f.write_str(if at > 0 { ", " } else { "" })?;
                    key.write(f, depth + 1)?;
                    f.write_str(": ")?;
                    value.write(f, depth + 1)?;
                }
                cut(f, map.len())?;
                f.write_str("}")
            }
            Self::Array(array) => write!(f, "array({} {:?})", array.dtype(), array.shape()),
            Self::Image(image) => write!(f, "image({}×{})", image.width(), image.height()),
            Self::Ext(code, bytes) => write!(f, "ext({code}, {} bytes)", bytes.len()),
        }
    }
}

fn cut(f: &mut fmt::Formatter<'_>, length: usize) -> fmt::Result {
    if length > MANY { write!(f, ", … {length} in all") } else { Ok(()) }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, 0)
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, 0)
    }
}

impl fmt::Debug for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter().take(MANY).map(|(key, value)| (key, value))).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::{Map, Value};

    #[test]
    fn a_value_is_four_words() {
        assert!(size_of::<Value>() <= 4 * size_of::<usize>());
    }

    #[test]
    fn display_never_dumps() {
        let long = Value::from("x".repeat(1 << 20));
        let list: Value = (0..1_000_i64).map(Value::from).collect();
        let map: Map = [("long", long), ("list", list)].into_iter().collect();
        let shown = format!("{} {:?}", Value::Map(map.clone()), map);
        assert!(shown.len() < 1_000, "{shown}");
        assert!(shown.contains("1048576 bytes") && shown.contains("1000 in all"), "{shown}");
    }

    #[test]
    fn pointers_lead_to_members_and_items() {
        let value = Value::from(serde_json::json!({"a/b": [1, {"~": true}]}));
        assert_eq!(value.pointer("/a~1b/1/~0"), Some(&Value::Bool(true)));
        assert_eq!(value.pointer("/a~1b/2"), None);
        assert_eq!(value.pointer(""), Some(&value));
    }
}
