//! What tests of nodes need: an in-process [`Client`] over the real call path, and [`agreement`](fn@agreement()) of schemas and decoders.
//!
//! Behind the feature `testing`. It stands on everything that a host stands on and on no server, so nothing here
//! knows HTTP or MCP.

pub mod agreement;
mod client;

pub use agreement::{Agreement, agreement, agreement_of};
pub use client::Client;
