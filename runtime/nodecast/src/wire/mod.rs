//! The one owned value tree, the wire types, and the two regimes as codecs between bytes and [`Value`].
//!
//! This module knows nothing of nodes.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// STUB: replaced by the real value tree.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// Nothing.
    #[default]
    Null,
    /// A truth value.
    Bool(bool),
    /// An integer.
    Integer(i64),
    /// A float.
    Float(f64),
    /// Text.
    Text(String),
    /// List.
    List(Vec<Value>),
}
macro_rules! stub { ($($name:ident)*) => {$(
/// STUB.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct $name(String);
impl JsonSchema for $name {
    fn schema_name() -> std::borrow::Cow<'static, str> { stringify!($name).into() }
    fn json_schema(_: &mut SchemaGenerator) -> Schema { schemars::json_schema!({"type": "string"}) }
})*}}
stub! { Image Tensor Bytes }
impl JsonSchema for Value {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Value".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({})
    }
}

/// What is wrong with a value or a body, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{detail}")]
pub struct WireError {
    /// The `type` on the wire, such as `wrong_type`.
    pub kind: &'static str,
    /// JSON pointer from the root of the value.
    pub pointer: String,
    /// One sentence that a person can act on.
    pub detail: String,
    /// What would have been right.
    pub expected: Option<String>,
}

/// Decodes `value` as `T`.
pub fn from_value<T: DeserializeOwned>(_value: Value) -> Result<T, WireError> {
    Err(WireError { kind: "stub", pointer: String::new(), detail: String::new(), expected: None })
}

/// Encodes `value`.
pub fn to_value<T: Serialize + ?Sized>(_value: &T) -> Result<Value, WireError> {
    Ok(Value::Null)
}

/// Whether `T` decodes when its value is left out.
pub fn accepts_missing<T: DeserializeOwned>() -> bool {
    false
}

/// Decodes a `T` that was left out: only an `Option` can be.
pub fn from_missing<T: DeserializeOwned>() -> Result<T, WireError> {
    from_value(Value::Null)
}
