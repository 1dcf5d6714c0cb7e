//! The one owned value tree, the wire types, and the two regimes as codecs between bytes and [`Value`].
//!
//! Bytes become a [`Value`] by [`json::decode`] or [`msgpack::decode`], a value becomes a Rust type by
//! [`from_value`], and the way back is [`to_value`], [`json::encode`] and [`msgpack::encode`]. Pictures, arrays and
//! bytes are shared all the way (see `native`). `wire.md` section 4 is normative for all of it.
//!
//! This module knows nothing of nodes.

mod access;
#[cfg(feature = "ndarray")]
mod array;
mod base64;
mod blob;
mod brief;
mod builder;
mod bytes;
mod carry;
#[cfg(feature = "image")]
mod convert;
mod de;
mod decimal;
mod depth;
mod dtype;
mod error;
mod fault;
mod image;
mod integer;
pub mod json;
mod keys;
mod layout;
mod limits;
mod map;
mod mark;
mod marker;
mod missing;
pub mod msgpack;
mod native;
mod picture;
mod records;
mod scale;
mod ser;
mod tensor;
mod twin;
mod value;

#[cfg(feature = "ndarray")]
pub use array::Array;
pub(crate) use brief::shown_as_json;
pub use bytes::Bytes;
pub(crate) use de::writes_less;
pub use de::{from_value, from_value_in};
pub(crate) use decimal::on_grid;
pub use depth::Depth;
pub use dtype::DType;
pub use error::{WireError, escape};
pub use image::Image;
pub use integer::Integer;
pub use keys::{ASKING_KEY, key_type};
pub use layout::Layout;
pub(crate) use limits::MAX_LIGHT;
pub use limits::{MAX_DEPTH, MAX_IMAGE_PIXELS, MAX_JSON_INTEGER, max_image_pixels, set_max_image_pixels};
pub use map::Map;
pub use mark::{MARKS, X_INTEGER, X_NOT_FINITE, X_TAG, X_WIRE};
pub(crate) use marker::KEY as MARKER;
pub use missing::{accepts_missing, from_missing};
pub use records::{Control, DiscreteAction, Metrics, Pose};
pub use ser::to_value;
pub use tensor::{Element, Tensor};
pub(crate) use twin::distinct;
pub use value::Value;

/// What becomes of a key that stands twice in one map of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Repeated {
    /// It is refused: whoever wrote it meant one of the two, and nobody knows which.
    #[default]
    Refused,
    /// The last value stays, as in Python.
    LastKept,
}

/// What becomes of an integer that most readers of JSON would round, when it is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Large {
    /// It is refused.
    #[default]
    Refused,
    /// It is a number all the same, as in Python.
    Written,
}

/// How a body is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Regime {
    /// JSON: bytes and pictures are base64 text, arrays are marked objects.
    #[default]
    Json,
    /// `MessagePack`: bytes, pictures and arrays have types of their own.
    Msgpack,
}

#[cfg(test)]
mod tests;
