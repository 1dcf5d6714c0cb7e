//! What a verdict of `contract::diff` is worth: it must never cry wolf, and must not miss (`contract.md` 4).

#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::cast_precision_loss,
    reason = "a test ends where something is not as it should be, and nodes here are declared, not called"
)]

mod declared;
mod decoded;
mod drawn;
