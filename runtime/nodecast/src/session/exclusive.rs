//! A lease shared between tasks, with guards for what must end.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, timeout_at};

use super::{Busy, Holder, Key, Lease, Status, Ticket};

/// The lease of one nodeset as its faces share it; cloning shares.
#[derive(Clone, Debug)]
pub struct Exclusive(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    lease: Mutex<Lease>,
    // A deadline may have moved; the reaper looks again.
    moved: Notify,
}

impl Exclusive {
    /// A free lease that an idle holder loses after `idle_limit`.
    pub fn new(idle_limit: Duration) -> Self {
        Self(Arc::new(Shared { lease: Mutex::new(Lease::new(idle_limit)), moved: Notify::new() }))
    }

    /// What it is at.
    pub fn status(&self) -> Status {
        self.lease().status()
    }

    /// Takes the lease for a handshake; it is free again when the guard goes without [`Reservation::keep`].
    pub fn reserve(&self, holder: Holder) -> Result<Reservation, Busy> {
        let ticket = self.lease().reserve(holder, Instant::now())?;
        self.0.moved.notify_waiters();
        Ok(Reservation { lease: self.clone(), ticket, armed: true })
    }

    /// Turns a reservation into a holding by `key`; false when the reservation is gone.
    pub fn promote(&self, ticket: Ticket, key: Key) -> bool {
        self.lease().promote(ticket, key, Instant::now())
    }

    /// A message of the holder came; false when `key` does not hold the lease.
    pub fn touch(&self, key: &Key) -> bool {
        self.lease().touch(key, Instant::now())
    }

    /// A call of the holder starts; none when `key` does not hold the lease.
    pub fn begin(&self, key: &Key) -> Option<InFlight> {
        let ticket = self.lease().begin(key, Instant::now())?;
        Some(InFlight { lease: self.clone(), ticket })
    }

    /// The holder gives the lease back; false when `key` does not hold it.
    pub fn release(&self, key: &Key) -> bool {
        self.lease().release(key)
    }

    /// Waits until a holder has been idle too long, takes the lease from it and gives its key.
    ///
    /// One task a lease calls this in a loop.
    pub async fn reaped(&self) -> Key {
        loop {
            // Registered before the look, so that no move between the two is missed.
            let moved = self.0.moved.notified();
            let deadline = {
                let mut lease = self.lease();
                if let Some(key) = lease.reap(Instant::now()) {
                    return key;
                }
                lease.deadline()
            };
            match deadline {
                // Whichever comes first, it looks again.
                Some(deadline) => timeout_at(deadline, moved).await.unwrap_or_default(),
                None => moved.await,
            }
        }
    }

    /// Waits until the calls of a holder that gave the lease back have ended.
    pub async fn drained(&self) {
        loop {
            // Registered before the look, so that no move between the two is missed.
            let mut moved = std::pin::pin!(self.0.moved.notified());
            moved.as_mut().enable();
            if self.status() != Status::Draining {
                return;
            }
            moved.await;
        }
    }

    fn lease(&self) -> MutexGuard<'_, Lease> {
        // No step of the machine panics half-way, so a poisoned lock still guards a sound state.
        self.0.lease.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A handshake under way.
#[derive(Debug)]
#[must_use = "dropping it frees the lease"]
pub struct Reservation {
    lease: Exclusive,
    ticket: Ticket,
    armed: bool,
}

impl Reservation {
    /// The ticket to promote.
    pub fn ticket(&self) -> Ticket {
        self.ticket
    }

    /// The handshake succeeded: the key that was promoted holds the lease from now on.
    pub fn keep(mut self) {
        self.armed = false;
    }

    /// The handshake failed: frees the lease, and gives the key that it had already brought.
    pub fn abandon(mut self) -> Option<Key> {
        self.armed = false;
        self.lease.lease().abandon(self.ticket)
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        if self.armed {
            self.lease.lease().abandon(self.ticket);
        }
    }
}

/// A call of the holder, from its start to its end.
#[derive(Debug)]
#[must_use = "dropping it ends the call"]
pub struct InFlight {
    lease: Exclusive,
    ticket: Ticket,
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.lease.lease().end(self.ticket, Instant::now());
        self.lease.0.moved.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDLE: Duration = Duration::from_secs(600);

    fn session(id: &str) -> Key {
        Key::Session(id.into())
    }

    fn hold(lease: &Exclusive, id: &str) {
        let reservation = lease.reserve(Holder::default()).unwrap();
        assert!(lease.promote(reservation.ticket(), session(id)));
        reservation.keep();
    }

    #[tokio::test(start_paused = true)]
    async fn t13_the_reaper_frees_a_crashed_holder() {
        let lease = Exclusive::new(IDLE);
        hold(&lease, "a");
        let start = Instant::now();
        assert_eq!(lease.reaped().await, session("a"));
        assert_eq!(start.elapsed(), IDLE);
        assert_eq!(lease.status(), Status::Free);
    }

    #[tokio::test(start_paused = true)]
    async fn w2_the_reaper_counts_from_the_end_of_the_call() {
        let lease = Exclusive::new(IDLE);
        hold(&lease, "a");
        let call = lease.begin(&session("a")).unwrap();
        let start = Instant::now();
        let reaper = tokio::spawn({
            let lease = lease.clone();
            async move { lease.reaped().await }
        });
        tokio::time::sleep(3 * IDLE).await;
        assert_eq!(lease.status(), Status::Held);
        drop(call);
        assert_eq!(reaper.await.unwrap(), session("a"));
        assert_eq!(start.elapsed(), 4 * IDLE);
    }

    #[tokio::test(start_paused = true)]
    async fn a_reaper_that_waits_for_nobody_sees_the_next_holder() {
        let lease = Exclusive::new(IDLE);
        let reaper = tokio::spawn({
            let lease = lease.clone();
            async move { lease.reaped().await }
        });
        tokio::task::yield_now().await;
        hold(&lease, "a");
        assert_eq!(reaper.await.unwrap(), session("a"));
    }

    #[test]
    fn t13_a_dropped_reservation_frees_the_lease() {
        let lease = Exclusive::new(IDLE);
        let reservation = lease.reserve(Holder::default()).unwrap();
        assert!(lease.reserve(Holder::default()).is_err());
        drop(reservation);
        let reservation = lease.reserve(Holder::default()).unwrap();
        lease.promote(reservation.ticket(), session("a"));
        assert_eq!(reservation.abandon(), Some(session("a")));
        assert_eq!(lease.status(), Status::Free);
    }

    #[test]
    fn t20_a_panic_in_a_call_ends_it() {
        let lease = Exclusive::new(IDLE);
        hold(&lease, "a");
        let call = lease.begin(&session("a")).unwrap();
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(move || {
            let _call = call;
            panic!("in the node");
        }));
        assert!(panicked.is_err());
        assert!(lease.release(&session("a")));
        assert_eq!(lease.status(), Status::Free);
    }
}
