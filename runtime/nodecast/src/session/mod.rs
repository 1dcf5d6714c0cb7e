//! Who may use a nodeset: one lease with one holder at a time over all faces and both protocol eras, or as many sessions
//! as there are seats.
//!
//! [`Leases`] is a pure state machine with the clock passed in; [`SharedLeases`] shares one between tasks and hands out
//! guards, so that no way out of a handshake or a call leaves a seat taken. Nothing here knows HTTP or MCP: a face turns
//! what it has (a session id, a lease handle, the process on stdio) into a [`Key`], and every rule holds for each of them.

mod key;
mod leases;
mod shared;
#[cfg(test)]
mod tests;

pub use key::{Handle, Holder, Key, NoHandle};
pub use leases::{Busy, Leases, Status, Ticket};
pub use shared::{InFlight, Pass, Reservation, SharedLeases};
