//! The state that a client of the newer era carries between rounds: sealed, bound to its request and caller, with a
//! lifetime, good for one use.

use std::collections::{BTreeSet, HashSet, VecDeque};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rmcp::model::{ErrorData, RequestStateCodec, RequestStateError, SealOptions};
use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use super::super::lock;
use super::rounds::Answers;

/// A client has this long to answer; people think, and fetch things.
const LIFETIME: Duration = Duration::from_secs(15 * 60);
/// States that were used and could be shown again; a client that fills this up waits until some have expired.
const MOST_USED: usize = 1 << 18;

/// Seals states, and opens each once.
pub(in crate::serve::mcp) struct Seals {
    codec: RequestStateCodec,
    /// Tells states apart.
    next: AtomicU64,
    used: Mutex<Used>,
}

/// What the rounds before have come to.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Before {
    /// The answers that passed.
    pub(super) answers: Answers,
    /// The keys of what was asked last: only these can be answered now.
    pub(super) asked: BTreeSet<String>,
}

#[derive(Serialize, Deserialize)]
struct State {
    number: u64,
    before: Before,
}

/// The states that were used, as long as they would open.
#[derive(Default)]
struct Used {
    numbers: HashSet<u64>,
    in_order: VecDeque<(Instant, u64)>,
}

impl Seals {
    /// Seals with a key of this process alone: a state does not outlive it.
    pub(in crate::serve::mcp) fn new() -> Result<Self, String> {
        let mut key = [0; RequestStateCodec::MIN_KEY_LENGTH];
        getrandom::fill(&mut key).map_err(|error| format!("no random bits for the seal of request states: {error}"))?;
        let codec = RequestStateCodec::try_new(key).map_err(|error| error.to_string())?;
        Ok(Self { codec, next: AtomicU64::new(0), used: Mutex::default() })
    }

    /// A state that brings this back.
    pub(super) fn seal(&self, before: Before, binding: &[u8]) -> Result<String, ErrorData> {
        let state = State { number: self.next.fetch_add(1, Ordering::Relaxed), before };
        let sealed = self.codec.seal_json_with(&state, &SealOptions::new().associated_data(binding).ttl(LIFETIME));
        sealed.map_err(|error| ErrorData::internal_error(format!("the state cannot be sealed: {error}"), None))
    }

    /// What a state brings back that was sealed for the same request and caller, and was not shown before.
    pub(super) fn open(&self, sealed: &str, binding: &[u8]) -> Result<Before, ErrorData> {
        let state: State = self.codec.open_json_with(sealed, binding).map_err(|error| {
            refused(match error {
                RequestStateError::Expired => "it has expired",
                _ => "it is none of this server for this request",
            })
        })?;
        lock(&self.used).take(state.number)?;
        Ok(state.before)
    }
}

impl Used {
    fn take(&mut self, number: u64) -> Result<(), ErrorData> {
        let now = Instant::now();
        while let Some((_, old)) = self.in_order.front().copied().filter(|(until, _)| *until <= now) {
            self.numbers.remove(&old);
            self.in_order.pop_front();
        }
        if self.numbers.len() >= MOST_USED {
            return Err(refused("too many others were used a short time ago; try again later"));
        }
        if !self.numbers.insert(number) {
            return Err(refused("it was used before"));
        }
        self.in_order.push_back((now + LIFETIME, number));
        Ok(())
    }
}

fn refused(why: &str) -> ErrorData {
    let detail =
        format!("the requestState is not taken: {why}; call without it and without inputResponses to begin anew");
    ErrorData::invalid_params(detail, None)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn answers() -> Before {
        let answers = Answers::from([("who".to_owned(), json!({ "action": "accept" }))]);
        Before { answers, asked: BTreeSet::from(["whom".to_owned()]) }
    }

    #[test]
    fn a_state_opens_once_for_its_request() {
        let seals = Seals::new().unwrap();
        let sealed = seals.seal(answers(), b"request").unwrap();
        let code = |sealed: &str, binding: &[u8]| seals.open(sealed, binding).unwrap_err().code.0;
        assert_eq!(code(&sealed, b"another request"), -32602);
        assert_eq!(code(&format!("{sealed}-TAMPERED"), b"request"), -32602);
        assert_eq!(code("", b"request"), -32602);
        assert_eq!(Seals::new().unwrap().open(&sealed, b"request").unwrap_err().code.0, -32602);
        assert_eq!(seals.open(&sealed, b"request").unwrap(), answers());
        let again = seals.open(&sealed, b"request").unwrap_err();
        assert!(again.message.contains("used before"), "{}", again.message);
    }

    #[test]
    fn two_states_are_never_one() {
        let seals = Seals::new().unwrap();
        assert_ne!(seals.seal(answers(), b"request").unwrap(), seals.seal(answers(), b"request").unwrap());
    }

    #[tokio::test(start_paused = true)]
    async fn what_was_used_is_forgotten_when_it_would_not_open() {
        let mut used = Used::default();
        used.take(1).unwrap();
        tokio::time::advance(LIFETIME / 2).await;
        used.take(2).unwrap();
        assert!(used.take(1).is_err());
        tokio::time::advance(LIFETIME / 2).await;
        used.take(3).unwrap();
        assert_eq!((used.numbers.len(), used.in_order.len()), (2, 2));
    }
}
