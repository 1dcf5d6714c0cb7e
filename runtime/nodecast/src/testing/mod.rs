//! What tests of nodes need: an in-process [`Client`] over the real call path, [`agreement`](fn@agreement()) of schemas and decoders, and
//! the reviewed [`snapshots`](fn@snapshots()).
//!
//! Behind the feature `testing`. It stands on everything that a host stands on and on no server, so nothing here
//! knows HTTP or MCP.

pub mod agreement;
mod client;
mod snapshots;

pub use agreement::{Agreement, agreement, agreement_of};
pub use client::Client;
pub use snapshots::snapshots;
