//! Schemas from a declaration to what a client reads and a call obeys.
//!
//! `declared` holds the smallest nodeset around any type, so that a rule is shown on the schema and through a call.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test ends where something is not as it should be"
)]

mod composed;
mod declared;
mod dialects;
mod named;
mod plain;
mod raw;
mod recursive;
mod review;
mod served;
mod vectors;
