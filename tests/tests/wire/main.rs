//! The wire as a call meets it: what is sent to declared fields, and what comes back, in both regimes.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test ends where something is not as it should be"
)]

mod bounds;
mod called;
mod numbers;
mod refusals;
mod types;

use nodecast::call::Finding;
use nodecast::prelude::*;
use nodecast::wire::{Map, Regime};

const REGIMES: [Regime; 2] = [Regime::Json, Regime::Msgpack];

/// An object of these members.
fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    Map::from_iter(members).into()
}

/// The one finding of a refusal.
fn only(error: &Error) -> Finding {
    let [finding] = error.findings() else { panic!("{error:?}") };
    finding.clone()
}
