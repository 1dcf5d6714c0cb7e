//! What was left out of a result, kept for a while so that its caller can read it (`mcp.md` 3).
//!
//! Bounded in bytes and in number, the oldest goes first; private to who called. An address is random, so it says
//! nothing and cannot be guessed.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use crate::wire::{Bytes, Tensor, Value, WireError};

/// How long a document is kept at most; results and refusals say it.
pub(super) const LIFETIME: Duration = Duration::from_secs(600);
/// The same in words.
pub(super) const LIFETIME_IN_WORDS: &str = "10 minutes";
/// Bytes of all documents together.
const MAX_BYTES: usize = 64 << 20;
/// Documents at once.
const MAX_DOCUMENTS: usize = 1024;
/// What all addresses begin with.
pub(super) const SCHEME: &str = "nodecast://results/";

/// Something that a result only names. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) enum Document {
    /// Text of this media type.
    Text(Arc<str>, &'static str),
    /// An array.
    Array(Tensor),
    /// A picture, as PNG.
    Picture(Bytes),
}

impl Document {
    fn size(&self) -> usize {
        match self {
            Self::Text(text, _) => text.len(),
            Self::Array(array) => array.data().len(),
            Self::Picture(png) => png.len(),
        }
    }

    /// The array as JSON carries it.
    pub(super) fn marked(array: Tensor) -> Result<String, WireError> {
        Ok(Value::Array(array).to_json()?.to_string())
    }
}

/// The documents of one host.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    /// Oldest first.
    documents: VecDeque<Entry>,
    bytes: usize,
    /// Whether a task waits for the oldest to grow too old.
    swept: bool,
}

#[derive(Debug)]
struct Entry {
    address: String,
    principal: Option<String>,
    document: Document,
    until: Instant,
}

impl Kept {
    /// Keeps a document for a caller and gives its address; none for what is larger than all that is kept.
    pub(super) fn keep(&self, document: Document, principal: Option<&str>) -> Option<String> {
        let size = document.size();
        if size > MAX_BYTES {
            return None;
        }
        let address = address()?;
        let until = Instant::now() + LIFETIME;
        let mut state = self.lock();
        state.bytes += size;
        let principal = principal.map(str::to_owned);
        state.documents.push_back(Entry { address: address.clone(), principal, document, until });
        while state.bytes > MAX_BYTES || state.documents.len() > MAX_DOCUMENTS {
            state.drop_oldest();
        }
        if !std::mem::replace(&mut state.swept, true) {
            tokio::spawn(sweep(Arc::downgrade(&self.0)));
        }
        Some(address)
    }

    /// The document at an address with the time that it is still kept, for the caller that it was kept for.
    pub(super) fn read(&self, address: &str, principal: Option<&str>) -> Option<(Document, Duration)> {
        let now = Instant::now();
        let state = self.lock();
        let mut entries = state.documents.iter();
        let entry = entries.find(|entry| entry.address == address && entry.principal.as_deref() == principal)?;
        let left = entry.until.checked_duration_since(now).filter(|left| !left.is_zero())?;
        Some((entry.document.clone(), left))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        // Nothing panics while it holds the lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn drop_oldest(&mut self) {
        if let Some(oldest) = self.documents.pop_front() {
            self.bytes -= oldest.document.size();
        }
    }

    /// Drops what is too old; until when the oldest of the others is kept.
    fn drop_old(&mut self, now: Instant) -> Option<Instant> {
        while let Some(oldest) = self.documents.front() {
            if oldest.until > now {
                return Some(oldest.until);
            }
            self.drop_oldest();
        }
        None
    }
}

/// Drops what is too old, and ends with the last document.
async fn sweep(state: Weak<Mutex<State>>) {
    loop {
        let until = {
            let Some(kept) = state.upgrade().map(Kept) else { return };
            let mut state = kept.lock();
            let until = state.drop_old(Instant::now());
            state.swept = until.is_some();
            until
        };
        let Some(until) = until else { return };
        sleep_until(until).await;
    }
}

/// 128 random bits; none where the system has no randomness, and then nothing is kept.
fn address() -> Option<String> {
    let mut bits = [0; 16];
    getrandom::fill(&mut bits).ok()?;
    Some(format!("{SCHEME}{:032x}", u128::from_be_bytes(bits)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(length: usize) -> Document {
        Document::Text("x".repeat(length).into(), "text/plain")
    }

    #[tokio::test(start_paused = true)]
    async fn w7_what_is_kept_is_kept_for_its_time_and_its_caller() {
        let kept = Kept::default();
        let address = kept.keep(text(5), Some("alice")).unwrap();
        assert!(address.strip_prefix(SCHEME).is_some_and(|bits| bits.len() == 32), "{address}");
        for stranger in [None, Some("bob")] {
            assert!(kept.read(&address, stranger).is_none());
        }
        tokio::time::sleep(LIFETIME.saturating_sub(Duration::from_secs(1))).await;
        let (_, left) = kept.read(&address, Some("alice")).unwrap();
        assert_eq!(left, Duration::from_secs(1));
        tokio::time::sleep(Duration::from_secs(2)).await;
        assert!(kept.read(&address, Some("alice")).is_none());
        // Nobody asked, and the memory is free all the same.
        let free = |state: &State| (state.bytes, state.documents.len(), state.swept) == (0, 0, false);
        assert!(free(&kept.lock()));
        assert!(kept.keep(text(1), None).is_some());
        assert!(kept.lock().swept);
    }

    #[tokio::test]
    async fn w7_the_oldest_make_room() {
        let kept = Kept::default();
        let first = kept.keep(text(MAX_BYTES / 2), None).unwrap();
        let second = kept.keep(text(MAX_BYTES / 2), None).unwrap();
        assert!(kept.read(&first, None).is_some());
        let third = kept.keep(text(1), None).unwrap();
        assert!(kept.read(&first, None).is_none());
        assert!(kept.read(&second, None).is_some() && kept.read(&third, None).is_some());
        assert!(kept.keep(text(MAX_BYTES + 1), None).is_none());
        for _ in 0..2 * MAX_DOCUMENTS {
            kept.keep(text(1), None).unwrap();
        }
        assert_eq!(kept.lock().documents.len(), MAX_DOCUMENTS);
    }
}
