//! The one owned value tree, the wire types, and the two regimes as codecs between bytes and [`Value`].
//!
//! Bytes become a [`Value`] by [`json::decode`] or [`msgpack::decode`], a value becomes a Rust type by
//! [`from_value`], and the way back is [`to_value`], [`json::encode`] and [`msgpack::encode`]. Pictures, arrays and
//! bytes are shared all the way (see `native`). `wire.md` section 4 is normative for all of it.
//!
//! This module knows nothing of nodes.

mod access;
mod base64;
mod blob;
mod builder;
mod bytes;
mod carry;
#[cfg(feature = "image")]
mod convert;
mod de;
mod dtype;
mod error;
mod fault;
mod image;
mod integer;
pub mod json;
mod limits;
mod map;
mod marker;
pub mod msgpack;
mod native;
mod picture;
mod ser;
mod tensor;
mod value;

pub use bytes::Bytes;
pub use carry::X_WIRE;
pub use de::{accepts_missing, from_missing, from_value, from_value_in};
pub use dtype::DType;
pub use error::WireError;
pub use image::Image;
pub use integer::Integer;
pub use limits::{MAX_DEPTH, MAX_IMAGE_PIXELS, MAX_JSON_INTEGER, max_image_pixels, set_max_image_pixels};
pub use map::Map;
pub use ser::to_value;
pub use tensor::{Element, Tensor};
pub use value::Value;

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
