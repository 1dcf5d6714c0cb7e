//! What is wrong with a body or a value, and where.

use std::borrow::Cow;
use std::fmt::Display;

use super::Value;

/// A name as one token of a JSON pointer (RFC 6901).
pub fn escape(name: &str) -> Cow<'_, str> {
    if name.contains(['~', '/']) { name.replace('~', "~0").replace('/', "~1").into() } else { name.into() }
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

impl WireError {
    /// An error at the root of the value.
    pub fn new(kind: &'static str, detail: impl Into<String>) -> Self {
        Self { kind, pointer: String::new(), detail: detail.into(), expected: None }
    }

    /// Says what would have been right.
    #[must_use]
    pub fn expecting(mut self, expected: impl Into<String>) -> Self {
        self.expected = Some(expected.into());
        self
    }

    /// The same error seen from one level further out: under the member or element `token`.
    #[must_use]
    pub fn under(mut self, token: impl Display) -> Self {
        self.pointer.insert_str(0, &escape(&token.to_string()));
        self.pointer.insert(0, '/');
        self
    }

    /// As [`under`](Self::under), for a key of any type; what JSON has no key for is shown.
    pub(crate) fn under_key(self, key: &Value) -> Self {
        match key {
            Value::Text(text) => self.under(text),
            key => self.under(key),
        }
    }

    pub(crate) fn duplicate_key(key: &Value) -> Self {
        Self::new("duplicate_key", format!("the key {key} stands twice in one object")).under_key(key)
    }

    pub(crate) fn bad_array(detail: impl Into<String>) -> Self {
        Self::new("bad_array", detail)
    }

    pub(crate) fn bad_image(detail: impl Into<String>) -> Self {
        Self::new("bad_image", detail)
    }

    pub(crate) fn wrong_type(expected: &str, found: &str) -> Self {
        Self::new("wrong_type", format!("expected {expected}, got {found}")).expecting(expected)
    }

    pub(crate) fn malformed(detail: impl Into<String>) -> Self {
        Self::new("malformed_body", detail)
    }

    pub(crate) fn too_deep() -> Self {
        Self::new("too_deep", format!("more than {} levels of nesting", super::limits::MAX_DEPTH))
    }
}
