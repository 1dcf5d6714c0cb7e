//! The messages that an application has accepted, for the one that comes after it.

use serde_json::{Value, json};

/// So many are remembered; more would be a state of their own.
const MOST: usize = 10_000;
/// So many are sent at once.
const BATCH: usize = 200;

/// What was accepted, in order.
#[derive(Debug)]
pub(super) struct Memory {
    messages: Vec<Value>,
    /// There were more than are remembered.
    overflown: bool,
    /// Nothing is to be remembered.
    off: bool,
}

impl Memory {
    /// Empty, for good if it is `off`.
    pub(super) const fn new(off: bool) -> Self {
        Self { messages: Vec::new(), overflown: false, off }
    }

    /// Keeps what a call of a tool has brought into the application.
    pub(super) fn note(&mut self, tool: &str, arguments: &Value, result: &Value) {
        // What came before is lost, so that what comes after leads to no state that was ever there.
        if self.off || self.overflown || !matches!(tool, "dispatch" | "explain") {
            return;
        }
        // A null counts as left out, as it does to the application.
        let given = |name: &str| arguments.get(name).filter(|value| !value.is_null());
        let sent: Vec<Value> = match (given("message"), given("messages").and_then(Value::as_array)) {
            (Some(message), None) => {
                vec![json!({ "message": message, "args": given("args").cloned().unwrap_or(json!({})) })]
            }
            (None, Some(messages)) => messages.clone(),
            _ => return,
        };
        let accepted = if is_error(result) { accepted(text(result), sent.len()) } else { sent.len() };
        self.messages.extend(sent.into_iter().take(accepted));
        if self.messages.len() > MOST {
            self.messages.clear();
            self.overflown = true;
        }
    }

    /// The next batch from a place on; none where there is none left.
    pub(super) fn batch(&self, from: usize) -> Option<Vec<Value>> {
        let batch: Vec<Value> = self.messages.iter().skip(from).take(BATCH).cloned().collect();
        (!batch.is_empty()).then_some(batch)
    }

    /// Forgets those that a new build has rejected.
    pub(super) fn forget(&mut self, places: &[usize]) {
        let mut at = 0;
        self.messages.retain(|_| {
            at += 1;
            !places.contains(&(at - 1))
        });
    }

    /// Whether there were more than can be replayed; said once.
    pub(super) fn take_overflow(&mut self) -> bool {
        std::mem::take(&mut self.overflown)
    }
}

/// Whether a result is an error.
pub(super) fn is_error(result: &Value) -> bool {
    result.get("isError") == Some(&Value::Bool(true))
}

/// The first text of a result.
pub(super) fn text(result: &Value) -> &str {
    result.pointer("/content/0/text").and_then(Value::as_str).unwrap_or_default()
}

/// How many messages stay applied, as the text of a rejection says: `message 3 of 4 rejected: …`. An explanation that failed
/// after its messages says so, too; a rejection may quote anything, and is looked for first.
pub(super) fn accepted(text: &str, sent: usize) -> usize {
    match rejected(text) {
        Some((place, _)) => place.saturating_sub(1),
        None if text.contains("\nthe messages stay applied:\n") => sent,
        None => 0,
    }
}

/// The place of a rejected message, counted from 1, and the reason.
pub(super) fn rejected(text: &str) -> Option<(usize, &str)> {
    let (place, rest) = text.strip_prefix("message ")?.split_once(" of ")?;
    let (_, reason) = rest.split_once(" rejected: ")?;
    Some((place.parse().ok()?, reason.lines().next().unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(text: &str, is_error: bool) -> Value {
        json!({ "content": [{ "type": "text", "text": text }], "isError": is_error })
    }

    #[test]
    fn what_was_accepted_is_remembered() {
        let mut memory = Memory::new(false);
        memory.note("dispatch", &json!({ "message": "a" }), &result("1 a → v2: no change", false));
        let sent = json!({ "messages": [{ "message": "b" }, { "message": "c" }, { "message": "d" }] });
        memory.note("explain", &sent, &result("message 3 of 3 rejected: no `d`\nsteps 1-2 stay applied:", true));
        memory.note("dispatch", &sent, &result("send either `message` …", true));
        memory.note("snapshot", &json!({ "message": "x" }), &result("{}", false));
        let names = |memory: &Memory| -> Vec<String> {
            let all = memory.batch(0).unwrap_or_default();
            all.iter().map(|message| message["message"].as_str().unwrap().to_owned()).collect()
        };
        assert_eq!(names(&memory), ["a", "b", "c"]);
        memory.forget(&[1]);
        assert_eq!(names(&memory), ["a", "c"]);
        assert_eq!(memory.batch(2), None);
    }

    /// Clients whose arguments are all required send a null in the place of what they leave out.
    #[test]
    fn what_is_null_is_left_out() {
        let mut memory = Memory::new(false);
        let several = json!({ "message": null, "args": null, "messages": [{ "message": "a" }, { "message": "b" }] });
        memory.note("dispatch", &several, &result("", false));
        memory.note("dispatch", &json!({ "message": "c", "args": null, "messages": null }), &result("", false));
        let expected = json!([{ "message": "a" }, { "message": "b" }, { "message": "c", "args": {} }]);
        assert_eq!(memory.batch(0).map(Value::from), Some(expected));
    }

    #[test]
    fn a_rejection_may_quote_what_an_explanation_says() {
        let quoted = "\nthe messages stay applied:\n";
        assert_eq!(accepted(&format!("message 2 of 3 rejected: no article `{quoted}`"), 3), 1);
        assert_eq!(accepted(&format!("there is no node `nope`{quoted}1 a → v2: no change"), 1), 1);
    }

    #[test]
    fn too_many_are_forgotten_and_said() {
        let mut memory = Memory::new(false);
        let many: Vec<_> = (0..200).map(|_| json!({ "message": "a" })).collect();
        (0..51).for_each(|_| memory.note("dispatch", &json!({ "messages": many }), &result("", false)));
        // A part of what was sent would be another state.
        memory.note("dispatch", &json!({ "message": "b" }), &result("", false));
        assert_eq!(memory.batch(0), None);
        assert!(memory.take_overflow() && !memory.take_overflow());
        memory.note("dispatch", &json!({ "message": "b" }), &result("", false));
        assert_eq!(memory.batch(0).map(|batch| batch.len()), Some(1));
    }
}
