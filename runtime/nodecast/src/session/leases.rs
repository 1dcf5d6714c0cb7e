//! The state machine: `Free`, `Held`, `Draining`, for each of so many seats.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use tokio::time::Instant;

use super::{Holder, Key};

/// One holding of a seat, from reservation to release; never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ticket(u64);

/// Why no seat can be had, with what helps to wait for one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Busy {
    /// How the holder calls itself whose seat is free first.
    pub held_by: String,
    /// For how long it has held its seat.
    pub held_for: Duration,
    /// When the seat is free at the earliest if the holder stays idle; none while it ends its last calls, and where it
    /// holds until its process ends.
    pub frees_in_if_idle: Option<Duration>,
}

impl Busy {
    /// After how many whole seconds another try makes sense.
    pub fn retry_after_s(&self) -> u64 {
        // A holder that ends its last calls is gone soon.
        self.frees_in_if_idle.map_or(1, |left| left.as_secs().max(1))
    }
}

/// What the seats are at, for health reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Nobody has one.
    Free,
    /// Somebody has one.
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

/// The seats of one nodeset: one where one client at a time holds it, as many as sessions may be open otherwise.
///
/// Invariants: no more holdings exist than seats; a holding ends only when no call of it runs; the idle limit counts
/// from the end of the last call or message and never runs during a call; what is shown opens a holding only to the
/// principal that took it.
#[derive(Debug)]
pub struct Leases {
    seats: usize,
    idle_limit: Duration,
    next: u64,
    /// In the order of taking.
    held: BTreeMap<Ticket, Holding>,
    /// Those of `held` that are not draining and have a key.
    by_key: HashMap<Key, Ticket>,
}

#[derive(Debug)]
struct Holding {
    /// None while the handshake that will bring one is under way.
    key: Option<Key>,
    holder: Holder,
    since: Instant,
    last_seen: Instant,
    in_flight: usize,
    /// Whether the holder has shown its key, and so is known to have it.
    used: bool,
    draining: bool,
}

impl Holding {
    /// When the holder loses it if nothing happens before; a process holds until it ends.
    fn deadline(&self, idle_limit: Duration) -> Option<Instant> {
        let idles = self.in_flight == 0 && !self.draining && self.key != Some(Key::Process);
        idles.then(|| self.last_seen + idle_limit)
    }
}

impl Leases {
    /// Free seats, each of which an idle holder loses after `idle_limit`.
    pub fn new(seats: usize, idle_limit: Duration) -> Self {
        Self { seats, idle_limit, next: 0, held: BTreeMap::new(), by_key: HashMap::new() }
    }

    /// What they are at.
    pub fn status(&self) -> Status {
        match self.held.values().map(|holding| holding.draining).min() {
            None => Status::Free,
            Some(false) => Status::Held,
            Some(true) => Status::Draining,
        }
    }

    /// How many are taken.
    pub fn taken(&self) -> usize {
        self.held.len()
    }

    /// How long a holder may idle.
    pub fn idle_limit(&self) -> Duration {
        self.idle_limit
    }

    /// Takes a seat for a handshake; whoever has it keeps it until it is released or reaped.
    pub fn reserve(&mut self, holder: Holder, now: Instant) -> Result<Ticket, Busy> {
        if let Some(busy) = self.busy(now) {
            return Err(busy);
        }
        let ticket = Ticket(self.next);
        self.next += 1;
        let holding =
            Holding { key: None, holder, since: now, last_seen: now, in_flight: 0, used: false, draining: false };
        self.held.insert(ticket, holding);
        Ok(ticket)
    }

    /// Turns a reservation into a holding by `key`; false when the reservation is gone, or the key is another's.
    pub fn promote(&mut self, ticket: Ticket, key: Key, now: Instant) -> bool {
        if self.by_key.contains_key(&key) {
            return false;
        }
        match self.held.get_mut(&ticket) {
            Some(holding) if holding.key.is_none() && !holding.draining => {
                holding.key = Some(key.clone());
                holding.last_seen = now;
                self.by_key.insert(key, ticket);
                true
            }
            _ => false,
        }
    }

    /// A message came with this key from this principal: a sign of life, and the right to go on; none where they open
    /// nothing.
    pub fn admit(&mut self, key: &Key, principal: Option<&str>, now: Instant) -> Option<Ticket> {
        let ticket = self.find(key)?;
        let holding = self.held.get_mut(&ticket)?;
        if holding.holder.principal.as_deref() != principal {
            return None;
        }
        holding.last_seen = now;
        holding.used = true;
        Some(ticket)
    }

    /// The holding that a key opens, for those who need no admission.
    pub fn find(&self, key: &Key) -> Option<Ticket> {
        self.by_key.get(key).copied()
    }

    /// The key of a holding.
    pub fn key(&self, ticket: Ticket) -> Option<Key> {
        self.held.get(&ticket)?.key.clone()
    }

    /// Whether the holding has not ended.
    pub fn is_taken(&self, ticket: Ticket) -> bool {
        self.held.contains_key(&ticket)
    }

    /// A call of the holder starts; false when the holding has ended or is about to.
    pub fn begin(&mut self, ticket: Ticket, now: Instant) -> bool {
        match self.held.get_mut(&ticket) {
            Some(holding) if !holding.draining => {
                holding.last_seen = now;
                holding.in_flight += 1;
                true
            }
            _ => false,
        }
    }

    /// A call of the holding ended; the last one frees a seat that drains.
    pub fn end(&mut self, ticket: Ticket, now: Instant) {
        let Some(holding) = self.held.get_mut(&ticket) else { return };
        holding.in_flight = holding.in_flight.saturating_sub(1);
        holding.last_seen = now;
        if holding.in_flight == 0 && holding.draining {
            self.held.remove(&ticket);
        }
    }

    /// Frees the seat, or lets it drain; false when the holding has ended or drains already.
    pub fn release(&mut self, ticket: Ticket) -> bool {
        let Some(holding) = self.held.get_mut(&ticket).filter(|holding| !holding.draining) else { return false };
        if let Some(key) = &holding.key {
            self.by_key.remove(key);
        }
        holding.draining = true;
        if holding.in_flight == 0 {
            self.held.remove(&ticket);
        }
        true
    }

    /// The same for a holder that has never shown its key; true when it had not.
    pub fn release_unused(&mut self, ticket: Ticket) -> bool {
        let is_unused = self.held.get(&ticket).is_some_and(|holding| !holding.used && holding.in_flight == 0);
        is_unused && self.release(ticket)
    }

    /// Takes the seat from a holder that has been idle too long, and gives the key that it had.
    pub fn reap(&mut self, now: Instant) -> Option<Key> {
        loop {
            let due = |holding: &Holding| holding.deadline(self.idle_limit).is_some_and(|deadline| deadline <= now);
            let (ticket, key) = self
                .held
                .iter()
                .find(|(_, holding)| due(holding))
                .map(|(ticket, holding)| (*ticket, holding.key.clone()))?;
            self.release(ticket);
            if key.is_some() {
                return key;
            }
        }
    }

    /// When [`reap`](Self::reap) would take a seat if nothing happens before.
    pub fn deadline(&self) -> Option<Instant> {
        self.held.values().filter_map(|holding| holding.deadline(self.idle_limit)).min()
    }

    /// Who has the seat that is free first, where none is free.
    pub fn busy(&self, now: Instant) -> Option<Busy> {
        if self.held.len() < self.seats {
            return None;
        }
        let left = |holding: &Holding| {
            let idle = match holding.deadline(self.idle_limit) {
                Some(deadline) => deadline.saturating_duration_since(now),
                None => self.idle_limit,
            };
            let frees = !holding.draining && holding.key != Some(Key::Process);
            frees.then_some(idle)
        };
        let first = self.held.values().min_by_key(|holding| left(holding))?;
        Some(Busy {
            held_by: first.holder.label.clone(),
            held_for: now.saturating_duration_since(first.since),
            frees_in_if_idle: left(first),
        })
    }
}
