//! What tests of nodes need: an in-process [`Client`] over the real call path.
//!
//! Behind the feature `testing`. It stands on everything that a host stands on and on no server, so nothing here
//! knows HTTP or MCP.

mod client;

pub use client::Client;
