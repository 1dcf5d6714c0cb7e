//! The state machine shared between tasks, with guards for what must end.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, timeout_at};

use super::{Busy, Handle, Holder, Key, Leases, Status, Ticket};

/// The seats of one nodeset as its faces share them; cloning shares.
#[derive(Clone, Debug)]
pub struct SharedLeases(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    leases: Mutex<Leases>,
    // A deadline may have moved, or a holding ended; whoever waits for one looks again.
    moved: Notify,
}

impl SharedLeases {
    /// Free seats, each of which an idle holder loses after `idle_limit`.
    pub fn new(seats: usize, idle_limit: Duration) -> Self {
        Self(Arc::new(Shared { leases: Mutex::new(Leases::new(seats, idle_limit)), moved: Notify::new() }))
    }

    /// What they are at.
    pub fn status(&self) -> Status {
        self.leases().status()
    }

    /// Who has the seat that is free first, where none is free.
    pub fn busy(&self) -> Option<Busy> {
        self.leases().busy(Instant::now())
    }

    /// How many are taken.
    pub fn taken(&self) -> usize {
        self.leases().taken()
    }

    /// How long a holder may idle.
    pub fn idle_limit(&self) -> Duration {
        self.leases().idle_limit()
    }

    /// Takes a seat for a handshake; it is free again when the guard goes without [`Reservation::keep`].
    pub fn reserve(&self, holder: Holder) -> Result<Reservation, Busy> {
        let ticket = self.leases().reserve(holder, Instant::now())?;
        self.0.moved.notify_waiters();
        Ok(Reservation { pass: Pass { leases: self.clone(), ticket }, armed: true })
    }

    /// Takes a seat at once, for whoever shows `handle` from now on.
    pub fn acquire(&self, holder: Holder, handle: Handle) -> Result<Pass, Busy> {
        let reservation = self.reserve(holder)?;
        reservation.promote(Key::Lease(handle));
        Ok(reservation.keep())
    }

    /// Turns a reservation into a holding by `key`; false when the reservation is gone.
    pub fn promote(&self, ticket: Ticket, key: Key) -> bool {
        self.leases().promote(ticket, key, Instant::now())
    }

    /// A message came with this key from this principal; none where they open nothing.
    pub fn admit(&self, key: &Key, principal: Option<&str>) -> Option<Pass> {
        let ticket = self.leases().admit(key, principal, Instant::now())?;
        Some(Pass { leases: self.clone(), ticket })
    }

    /// The holding that a key opens, for those who carry on what was admitted before or end it.
    pub fn find(&self, key: &Key) -> Option<Pass> {
        let ticket = self.leases().find(key)?;
        Some(Pass { leases: self.clone(), ticket })
    }

    /// Waits until a holder has been idle too long, takes its seat from it and gives its key.
    ///
    /// One task calls this in a loop.
    pub async fn reaped(&self) -> Key {
        loop {
            // Registered before the look, so that no move between the two is missed.
            let mut moved = std::pin::pin!(self.0.moved.notified());
            moved.as_mut().enable();
            let deadline = {
                let mut leases = self.leases();
                if let Some(key) = leases.reap(Instant::now()) {
                    drop(leases);
                    self.0.moved.notify_waiters();
                    return key;
                }
                leases.deadline()
            };
            match deadline {
                // Whichever comes first, it looks again.
                Some(deadline) => timeout_at(deadline, moved).await.unwrap_or_default(),
                None => moved.await,
            }
        }
    }

    fn leases(&self) -> MutexGuard<'_, Leases> {
        // No step of the machine panics half-way, so a poisoned lock still guards a sound state.
        self.0.leases.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The right of one holding: to run calls, and to end it.
#[derive(Clone, Debug)]
pub struct Pass {
    leases: SharedLeases,
    ticket: Ticket,
}

impl Pass {
    /// A call starts; none when the holding has ended or is about to.
    pub fn begin(&self) -> Option<InFlight> {
        self.leases.leases().begin(self.ticket, Instant::now()).then(|| InFlight(self.clone()))
    }

    /// Gives the seat back; false when that was done before.
    pub fn release(&self) -> bool {
        let released = self.leases.leases().release(self.ticket);
        self.leases.0.moved.notify_waiters();
        released
    }

    /// Gives the seat back unless the holder has shown its key; true when it had not.
    pub fn release_unused(&self) -> bool {
        let released = self.leases.leases().release_unused(self.ticket);
        self.leases.0.moved.notify_waiters();
        released
    }

    /// The key that the holding was promoted to.
    pub fn key(&self) -> Option<Key> {
        self.leases.leases().key(self.ticket)
    }

    /// Whether the seat is another's to take.
    pub fn has_ended(&self) -> bool {
        !self.leases.leases().is_taken(self.ticket)
    }

    /// Waits until the seat is another's to take: given back, with no call running.
    pub async fn ended(&self) {
        loop {
            // Registered before the look, so that no move between the two is missed.
            let mut moved = std::pin::pin!(self.leases.0.moved.notified());
            moved.as_mut().enable();
            if self.has_ended() {
                return;
            }
            moved.await;
        }
    }
}

/// A handshake under way.
#[derive(Debug)]
#[must_use = "dropping it frees the seat"]
pub struct Reservation {
    pass: Pass,
    armed: bool,
}

impl Reservation {
    /// The ticket to promote.
    pub fn ticket(&self) -> Ticket {
        self.pass.ticket
    }

    /// What it would be a holding of.
    pub fn key(&self) -> Option<Key> {
        self.pass.key()
    }

    /// Gives the holding its key; false when the reservation has idled away.
    pub fn promote(&self, key: Key) -> bool {
        self.pass.leases.promote(self.pass.ticket, key)
    }

    /// The handshake succeeded: whoever shows the key that was promoted has the seat from now on.
    pub fn keep(mut self) -> Pass {
        self.armed = false;
        self.pass.clone()
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        if self.armed {
            self.pass.release();
        }
    }
}

/// A call of the holder, from its start to its end.
#[derive(Debug)]
#[must_use = "dropping it ends the call"]
pub struct InFlight(Pass);

impl Drop for InFlight {
    fn drop(&mut self) {
        let Self(Pass { leases, ticket }) = self;
        leases.leases().end(*ticket, Instant::now());
        leases.0.moved.notify_waiters();
    }
}
