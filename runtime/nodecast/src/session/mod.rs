//! Who may use an exclusive nodeset: one lease with one holder at a time, over all faces and both protocol eras.
//!
//! [`Lease`] is a pure state machine with the clock passed in; [`Exclusive`] shares one between tasks and hands out
//! guards, so that no way out of a handshake or a call leaves it held. Nothing here knows HTTP or MCP: a face turns
//! what it has (a session id, the process on stdio) into a [`Key`]. A lease handle of the newer era is one more kind
//! of key, and every rule below holds for it as it stands.

mod exclusive;
mod lease;

pub use exclusive::{Exclusive, InFlight, Reservation};
pub use lease::{Busy, Holder, Key, Lease, Status, Ticket};
