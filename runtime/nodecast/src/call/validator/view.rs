//! Our tree as `jsonschema` reads it.
//!
//! An array shows itself as the object that marks it in JSON, its bytes and a picture as text, and an extension type
//! as an object that no closed schema lets through.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use jsonschema::JsonType;
use jsonschema::json::{Array, Json, JsonNumber, Node, NodeIdentity, Object, cmp};
use serde_json::{Number, Value as Built};

use crate::wire::{Integer, Map, Tensor, Value, distinct};

/// The representation.
pub(super) struct Tree;

/// One node: a value, or a part of an array that only the schema sees.
#[derive(Clone, Copy)]
pub(super) enum View<'v> {
    Value(&'v Value),
    Text(&'v str),
    Shape(&'v [usize]),
    Extent(&'v usize),
}

impl Json for Tree {
    type Node<'v> = View<'v>;
    type PreparedKey = String;
    type StringBuffer = ();

    /// A lookup walks half of the entries.
    const KEYS_PER_LOOKUP: usize = 16;
    const ACYCLIC: bool = true;

    fn prepare_key(key: &str) -> String {
        key.to_owned()
    }

    fn with_string_node<T>((): &mut (), text: &str, f: impl FnOnce(View<'_>) -> T) -> T {
        f(View::Text(text))
    }
}

/// The keys of the object that marks an array.
const MARKER: [&str; 3] = ["__ndarray__", "dtype", "shape"];

/// The one key of an extension type, so that an object without fields does not fit it.
pub(super) const EXT: &str = "$ext";

static NOTHING: Value = Value::Null;

fn part<'v>(array: &'v Tensor, key: &str) -> Option<View<'v>> {
    match key {
        // The bytes are checked already; no schema looks into them.
        "__ndarray__" => Some(View::Text("")),
        "dtype" => Some(View::Text(array.dtype().name())),
        "shape" => Some(View::Shape(array.shape())),
        _ => None,
    }
}

impl<'v> Node<'v, Tree> for View<'v> {
    type Object = Members<'v>;
    type Array = Elements<'v>;
    type Number = Num;

    fn as_object(&self) -> Option<Members<'v>> {
        match *self {
            Self::Value(Value::Map(map)) => Some(Members::Map(map)),
            Self::Value(Value::Array(array)) => Some(Members::Marker(array)),
            Self::Value(Value::Ext(..)) => Some(Members::Ext),
            _ => None,
        }
    }

    fn as_array(&self) -> Option<Elements<'v>> {
        match *self {
            Self::Value(Value::List(items)) => Some(Elements::List(items)),
            Self::Shape(extents) => Some(Elements::Shape(extents)),
            _ => None,
        }
    }

    fn as_string(&self) -> Option<Cow<'v, str>> {
        match *self {
            Self::Value(Value::Text(text)) => Some(Cow::Borrowed(text)),
            Self::Value(Value::Bytes(bytes)) => Some(Cow::Owned(STANDARD.encode(bytes))),
            Self::Value(Value::Image(_)) => Some(Cow::Borrowed("")),
            Self::Text(text) => Some(Cow::Borrowed(text)),
            _ => None,
        }
    }

    fn as_number(&self) -> Option<Num> {
        match *self {
            Self::Value(Value::Int(number)) => Some(Num::Int(*number)),
            Self::Value(Value::Float(number)) => Some(Num::Float(*number)),
            Self::Extent(extent) => Some(Num::Int(Integer::from(*extent))),
            _ => None,
        }
    }

    fn as_boolean(&self) -> Option<bool> {
        match *self {
            Self::Value(Value::Bool(yes)) => Some(*yes),
            _ => None,
        }
    }

    fn is_null(&self) -> bool {
        matches!(self, Self::Value(Value::Null))
    }

    fn is_number(&self) -> bool {
        self.json_type() == JsonType::Number
    }

    fn json_type(&self) -> JsonType {
        match self {
            Self::Value(Value::Null) => JsonType::Null,
            Self::Value(Value::Bool(_)) => JsonType::Boolean,
            Self::Value(Value::Int(_) | Value::Float(_)) | Self::Extent(_) => JsonType::Number,
            Self::Value(Value::Text(_) | Value::Bytes(_) | Value::Image(_)) | Self::Text(_) => JsonType::String,
            Self::Value(Value::List(_)) | Self::Shape(_) => JsonType::Array,
            Self::Value(Value::Map(_) | Value::Array(_) | Value::Ext(..)) => JsonType::Object,
        }
    }

    fn string_length(&self) -> Option<u64> {
        match self {
            Self::Value(Value::Bytes(bytes)) => Some(bytes.len().div_ceil(3) as u64 * 4),
            node => node.as_string().map(|text| text.chars().count() as u64),
        }
    }

    fn equals_value(&self, expected: &Built) -> bool {
        match (self.as_array(), self.as_object(), expected) {
            (Some(items), _, Built::Array(expected)) => {
                items.len() == expected.len()
                    && items.elements().zip(expected).all(|(item, expected)| item.equals_value(expected))
            }
            (_, Some(members), Built::Object(expected)) => {
                members.len() == expected.len()
                    && members.members().all(|(name, value)| {
                        expected.get(name.as_ref()).is_some_and(|expected| value.equals_value(expected))
                    })
            }
            (None, None, Built::String(expected)) => self.as_string().is_some_and(|text| text == expected.as_str()),
            (None, None, expected) => cmp::equal(&glimpse(*self, &mut 1), expected),
            _ => false,
        }
    }

    /// For the errors of `jsonschema` alone, from which findings take the place and never the value.
    fn to_value(&self) -> Cow<'v, Built> {
        Cow::Owned(glimpse(*self, &mut 64))
    }

    fn identity(&self) -> Option<NodeIdentity> {
        Some(match *self {
            Self::Value(value) => NodeIdentity::new(std::ptr::from_ref(value) as usize),
            Self::Text(text) => NodeIdentity::tagged(text.as_ptr() as usize, 1),
            Self::Shape(extents) => NodeIdentity::tagged(extents.as_ptr() as usize, 2),
            Self::Extent(extent) => NodeIdentity::tagged(std::ptr::from_ref(extent) as usize, 3),
        })
    }
}

/// The node as a tree of `serde_json`, cut after so many nodes.
fn glimpse(node: View<'_>, left: &mut usize) -> Built {
    if *left == 0 {
        return Built::Null;
    }
    *left -= 1;
    if let Some(members) = node.as_object() {
        return members.members().map(|(name, value)| (name.into_owned(), glimpse(value, left))).collect();
    }
    if let Some(items) = node.as_array() {
        return items.elements().map(|item| glimpse(item, left)).collect();
    }
    match (node.as_number(), node.as_boolean()) {
        (Some(number), _) => Built::Number(number.to_number().into_owned()),
        (_, Some(yes)) => Built::Bool(yes),
        _ => node.as_string().map_or(Built::Null, |text| Built::String(text.into_owned())),
    }
}

/// The members of an object.
#[derive(Clone, Copy)]
pub(super) enum Members<'v> {
    Map(&'v Map),
    Marker(&'v Tensor),
    Ext,
}

impl<'v> Object<'v, Tree> for Members<'v> {
    type Node = View<'v>;
    type MemberName = Cow<'v, str>;
    type MembersIter = MembersIter<'v>;

    fn len(&self) -> usize {
        match self {
            Self::Map(map) => map.len(),
            Self::Marker(_) => MARKER.len(),
            Self::Ext => 1,
        }
    }

    fn get(&self, key: &String) -> Option<View<'v>> {
        match *self {
            Self::Map(map) => map.get(key).map(View::Value),
            Self::Marker(array) => part(array, key),
            Self::Ext => (key == EXT).then_some(View::Value(&NOTHING)),
        }
    }

    fn members(&self) -> MembersIter<'v> {
        match *self {
            Self::Map(map) => MembersIter::Map(map.iter()),
            Self::Marker(array) => MembersIter::Marker(array, MARKER.iter()),
            Self::Ext => MembersIter::Ext(std::iter::once(EXT)),
        }
    }
}

pub(super) enum MembersIter<'v> {
    Map(std::slice::Iter<'v, (Value, Value)>),
    Marker(&'v Tensor, std::slice::Iter<'static, &'static str>),
    Ext(std::iter::Once<&'static str>),
}

impl<'v> Iterator for MembersIter<'v> {
    type Item = (Cow<'v, str>, View<'v>);

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Map(entries) => {
                let (key, value) = entries.next()?;
                Some((name(key), View::Value(value)))
            }
            Self::Marker(array, keys) => {
                let key: &'static str = keys.next()?;
                part(array, key).map(|part| (Cow::Borrowed(key), part))
            }
            Self::Ext(keys) => keys.next().map(|key| (Cow::Borrowed(key), View::Value(&NOTHING))),
        }
    }
}

/// A key as JSON writes it; what JSON has no key for is shown, and fits no property.
pub(in crate::call) fn name(key: &Value) -> Cow<'_, str> {
    key.as_text().map_or_else(|| Cow::Owned(key.to_string()), Cow::Borrowed)
}

/// The items of a list.
#[derive(Clone, Copy)]
pub(super) enum Elements<'v> {
    List(&'v [Value]),
    Shape(&'v [usize]),
}

impl<'v> Array<'v, Tree> for Elements<'v> {
    type Node = View<'v>;
    type ElementsIter = ElementsIter<'v>;

    fn len(&self) -> usize {
        match self {
            Self::List(items) => items.len(),
            Self::Shape(extents) => extents.len(),
        }
    }

    fn elements(&self) -> ElementsIter<'v> {
        match self {
            Self::List(items) => ElementsIter::List(items.iter()),
            Self::Shape(extents) => ElementsIter::Shape(extents.iter()),
        }
    }

    fn is_unique(&self) -> bool {
        match self {
            Self::List(items) => distinct(items),
            // Extents of an array, of which no schema says that they differ.
            Self::Shape(extents) => {
                !extents.iter().enumerate().any(|(at, extent)| extents.iter().take(at).any(|e| e == extent))
            }
        }
    }
}

pub(super) enum ElementsIter<'v> {
    List(std::slice::Iter<'v, Value>),
    Shape(std::slice::Iter<'v, usize>),
}

impl<'v> Iterator for ElementsIter<'v> {
    type Item = View<'v>;

    fn next(&mut self) -> Option<View<'v>> {
        match self {
            Self::List(items) => items.next().map(View::Value),
            Self::Shape(extents) => extents.next().map(View::Extent),
        }
    }
}

/// A number.
#[derive(Clone, Copy)]
pub(super) enum Num {
    Int(Integer),
    Float(f64),
}

impl JsonNumber for Num {
    fn as_u64(&self) -> Option<u64> {
        match self {
            Self::Int(number) => number.as_u64(),
            Self::Float(_) => None,
        }
    }

    fn as_i64(&self) -> Option<i64> {
        match self {
            Self::Int(number) => number.as_i64(),
            Self::Float(_) => None,
        }
    }

    fn as_f64(&self) -> Option<f64> {
        Some(match self {
            Self::Int(number) => number.as_f64(),
            Self::Float(number) if number.is_finite() => *number,
            // What is not finite lies in the range of every float type and beyond every narrower bound, so for a
            // bound it is the largest of the narrowest float type.
            Self::Float(number) if *number < 0.0 => f32::MIN.into(),
            Self::Float(_) => f32::MAX.into(),
        })
    }

    fn as_str(&self) -> Cow<'_, str> {
        match self {
            Self::Int(number) => Cow::Owned(number.to_string()),
            Self::Float(number) => Cow::Owned(number.to_string()),
        }
    }

    fn to_number(&self) -> Cow<'_, Number> {
        Cow::Owned(match (self, self.as_u64(), self.as_i64()) {
            (_, Some(number), _) => number.into(),
            (_, _, Some(number)) => number.into(),
            (number, ..) => number.as_f64().and_then(Number::from_f64).unwrap_or_else(|| 0.into()),
        })
    }

    fn is_integer(&self) -> bool {
        match self {
            Self::Int(_) => true,
            // Beyond what it stands for exactly, a float is none; so no type would take it for one either.
            Self::Float(number) => Integer::from_integral(*number).is_some(),
        }
    }
}
