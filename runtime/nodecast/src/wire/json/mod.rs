//! The JSON regime: bytes ↔ [`Value`](super::Value), and `serde_json`'s tree ↔ [`Value`](super::Value).

mod decode;
mod encode;
mod rules;
mod scan;
mod tree;

pub use decode::{decode, decode_with};
pub use encode::{encode, encode_layout};
