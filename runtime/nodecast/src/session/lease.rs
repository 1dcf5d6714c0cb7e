//! The state machine: `Free`, `Held`, `Draining`.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

/// What a holder shows to use the lease.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Key {
    /// Nothing yet: the handshake that will bring a key is under way.
    Handshake,
    /// A session id of the older era.
    Session(Arc<str>),
    /// The process itself, which a client on stdio has alone.
    Process,
}

/// One holding of the lease, from reservation to release; never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket(u64);

/// Who holds the lease.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Holder {
    /// The authenticated principal, where there is one.
    pub principal: Option<String>,
    /// How the holder calls itself; shown to those who wait, and decides nothing.
    pub label: String,
}

/// Why the lease cannot be had, with what helps to wait for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Busy {
    /// How the holder calls itself.
    pub held_by: String,
    /// For how long it has held the lease.
    pub held_for: Duration,
    /// When the lease is free at the earliest if the holder stays idle; none while it ends its last calls.
    pub frees_in_if_idle: Option<Duration>,
}

/// What the lease is at, for health reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Nobody has it.
    Free,
    /// Somebody has it.
    Held,
    /// Given back, with calls still running.
    Draining,
}

impl Status {
    /// The word of the health report.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Held => "held",
            Self::Draining => "draining",
        }
    }
}

/// The lease of one nodeset.
///
/// Invariants: at most one holding exists; it ends only when no call of it runs; the idle limit counts from the end of
/// the last call or message and never runs during a call.
#[derive(Debug)]
pub struct Lease {
    idle_limit: Duration,
    next_ticket: u64,
    state: State,
}

#[derive(Debug)]
enum State {
    Free,
    Held(Holding),
    Draining(Holding),
}

#[derive(Debug)]
struct Holding {
    ticket: Ticket,
    key: Key,
    holder: Holder,
    since: Instant,
    last_seen: Instant,
    in_flight: usize,
}

impl Lease {
    /// A free lease that an idle holder loses after `idle_limit`.
    pub fn new(idle_limit: Duration) -> Self {
        Self { idle_limit, next_ticket: 0, state: State::Free }
    }

    /// What it is at.
    pub fn status(&self) -> Status {
        match &self.state {
            State::Free => Status::Free,
            State::Held(_) => Status::Held,
            State::Draining(_) => Status::Draining,
        }
    }

    /// Takes the lease for a handshake; the holder of the moment keeps it until it is released or reaped.
    pub fn reserve(&mut self, holder: Holder, now: Instant) -> Result<Ticket, Busy> {
        if let Some(busy) = self.busy(now) {
            return Err(busy);
        }
        let ticket = Ticket(self.next_ticket);
        self.next_ticket += 1;
        self.state =
            State::Held(Holding { ticket, key: Key::Handshake, holder, since: now, last_seen: now, in_flight: 0 });
        Ok(ticket)
    }

    /// Turns a reservation into a holding by `key`; false when the reservation is gone.
    pub fn promote(&mut self, ticket: Ticket, key: Key, now: Instant) -> bool {
        match &mut self.state {
            State::Held(holding) if holding.ticket == ticket && holding.key == Key::Handshake => {
                holding.key = key;
                holding.last_seen = now;
                true
            }
            _ => false,
        }
    }

    /// Ends the holding of a handshake that failed; gives the key that it had already brought.
    pub fn abandon(&mut self, ticket: Ticket) -> Option<Key> {
        match &self.state {
            State::Held(holding) if holding.ticket == ticket => self.end_holding(),
            _ => None,
        }
    }

    /// A message of the holder came; false when `key` does not hold the lease.
    pub fn touch(&mut self, key: &Key, now: Instant) -> bool {
        match &mut self.state {
            State::Held(holding) if holding.key == *key => {
                holding.last_seen = now;
                true
            }
            _ => false,
        }
    }

    /// A call of the holder starts; none when `key` does not hold the lease.
    pub fn begin(&mut self, key: &Key, now: Instant) -> Option<Ticket> {
        match &mut self.state {
            State::Held(holding) if holding.key == *key => {
                holding.last_seen = now;
                holding.in_flight += 1;
                Some(holding.ticket)
            }
            _ => None,
        }
    }

    /// A call of the holding ended; the last one frees a lease that drains.
    pub fn end(&mut self, ticket: Ticket, now: Instant) {
        let (State::Held(holding) | State::Draining(holding)) = &mut self.state else { return };
        if holding.ticket != ticket {
            return;
        }
        holding.in_flight = holding.in_flight.saturating_sub(1);
        holding.last_seen = now;
        if holding.in_flight == 0 && matches!(self.state, State::Draining(_)) {
            self.state = State::Free;
        }
    }

    /// The holder gives the lease back; false when `key` does not hold it.
    pub fn release(&mut self, key: &Key) -> bool {
        match &self.state {
            State::Held(holding) if holding.key == *key => {
                self.end_holding();
                true
            }
            _ => false,
        }
    }

    /// Takes the lease from a holder that has been idle too long, and gives its key.
    pub fn reap(&mut self, now: Instant) -> Option<Key> {
        match self.deadline() {
            Some(deadline) if deadline <= now => self.end_holding(),
            _ => None,
        }
    }

    /// When [`reap`](Self::reap) would take the lease if nothing happens before.
    pub fn deadline(&self) -> Option<Instant> {
        match &self.state {
            State::Held(holding) if holding.in_flight == 0 => Some(holding.last_seen + self.idle_limit),
            _ => None,
        }
    }

    fn busy(&self, now: Instant) -> Option<Busy> {
        let deadline = self.deadline();
        let (holding, frees_in_if_idle) = match &self.state {
            State::Free => return None,
            State::Held(holding) => {
                let idle = deadline.map_or(self.idle_limit, |deadline| deadline.saturating_duration_since(now));
                (holding, Some(idle))
            }
            State::Draining(holding) => (holding, None),
        };
        Some(Busy {
            held_by: holding.holder.label.clone(),
            held_for: now.saturating_duration_since(holding.since),
            frees_in_if_idle,
        })
    }

    /// Frees the lease, or lets it drain; gives the key that held it unless it was a mere handshake.
    fn end_holding(&mut self) -> Option<Key> {
        let State::Held(holding) = std::mem::replace(&mut self.state, State::Free) else { return None };
        let key = (holding.key != Key::Handshake).then(|| holding.key.clone());
        if holding.in_flight > 0 {
            self.state = State::Draining(holding);
        }
        key
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDLE: Duration = Duration::from_secs(600);

    fn holder(label: &str) -> Holder {
        Holder { principal: None, label: label.to_owned() }
    }

    fn session(id: &str) -> Key {
        Key::Session(id.into())
    }

    fn held(lease: &mut Lease, id: &str, now: Instant) -> Ticket {
        let ticket = lease.reserve(holder(id), now).unwrap();
        assert!(lease.promote(ticket, session(id), now));
        ticket
    }

    #[test]
    fn w1_one_reservation_wins() {
        let (mut lease, now) = (Lease::new(IDLE), Instant::now());
        assert!(lease.reserve(holder("first"), now).is_ok());
        let later = now + Duration::from_secs(60);
        let busy = lease.reserve(holder("second"), later).unwrap_err();
        assert_eq!(busy.held_by, "first");
        assert_eq!(busy.held_for, Duration::from_secs(60));
        assert_eq!(busy.frees_in_if_idle, Some(Duration::from_secs(540)));
    }

    #[test]
    fn t13_a_failed_handshake_frees_the_reservation() {
        let (mut lease, now) = (Lease::new(IDLE), Instant::now());
        let ticket = lease.reserve(holder("a"), now).unwrap();
        assert_eq!(lease.abandon(ticket), None);
        assert_eq!(lease.status(), Status::Free);

        let ticket = lease.reserve(holder("b"), now).unwrap();
        lease.promote(ticket, session("b"), now);
        assert_eq!(lease.abandon(ticket), Some(session("b")));
        assert_eq!(lease.status(), Status::Free);
    }

    #[test]
    fn an_old_ticket_changes_nothing() {
        let (mut lease, now) = (Lease::new(IDLE), Instant::now());
        let old = held(&mut lease, "a", now);
        lease.release(&session("a"));
        held(&mut lease, "b", now);
        lease.end(old, now);
        assert_eq!(lease.abandon(old), None);
        assert!(!lease.promote(old, session("c"), now));
        assert!(!lease.release(&session("a")));
        assert!(lease.touch(&session("b"), now));
    }

    #[test]
    fn w2_idle_never_cuts_a_running_call() {
        let (mut lease, now) = (Lease::new(IDLE), Instant::now());
        held(&mut lease, "a", now);
        let call = lease.begin(&session("a"), now).unwrap();
        let ended = now + 3 * IDLE;
        assert_eq!(lease.deadline(), None);
        assert_eq!(lease.reap(ended), None);
        lease.end(call, ended);
        assert_eq!(lease.reap(ended + IDLE - Duration::from_millis(1)), None);
        assert_eq!(lease.reap(ended + IDLE), Some(session("a")));
        assert_eq!(lease.status(), Status::Free);
    }

    #[test]
    fn w2_release_during_a_call_drains() {
        let (mut lease, now) = (Lease::new(IDLE), Instant::now());
        held(&mut lease, "a", now);
        let first = lease.begin(&session("a"), now).unwrap();
        let second = lease.begin(&session("a"), now).unwrap();
        assert!(lease.release(&session("a")));
        assert_eq!(lease.status(), Status::Draining);
        assert_eq!(lease.begin(&session("a"), now), None);
        assert_eq!(lease.reserve(holder("b"), now).unwrap_err().frees_in_if_idle, None);
        lease.end(first, now);
        assert_eq!(lease.status(), Status::Draining);
        lease.end(second, now);
        assert!(lease.reserve(holder("b"), now).is_ok());
    }

    #[test]
    fn messages_put_the_reaper_off() {
        let (mut lease, now) = (Lease::new(IDLE), Instant::now());
        held(&mut lease, "a", now);
        let later = now + IDLE - Duration::from_secs(1);
        assert!(lease.touch(&session("a"), later));
        assert!(!lease.touch(&session("b"), later));
        assert_eq!(lease.reap(now + IDLE), None);
        assert_eq!(lease.deadline(), Some(later + IDLE));
    }

    #[test]
    fn a_key_of_another_kind_does_not_open() {
        let (mut lease, now) = (Lease::new(IDLE), Instant::now());
        held(&mut lease, "a", now);
        assert_eq!(lease.begin(&Key::Process, now), None);
        assert_eq!(lease.begin(&Key::Handshake, now), None);
        assert!(!lease.release(&Key::Handshake));
    }
}
