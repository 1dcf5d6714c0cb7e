//! The msgpack regime: bytes ↔ [`Value`](super::Value).

mod decode;
mod encode;
mod reader;
mod scan;

pub use decode::{decode, decode_shared, decode_shared_with};
pub use encode::{encode, encode_layout};

pub(super) use decode::decode_within;
pub(super) use encode::write_ext_head;
