//! Values that arrive as text whatever their type, as a URI and the arguments of a prompt carry them.
//!
//! Text is itself where the field takes text; else it is the value that it spells in JSON: `5`, `true`, `[1, 2]`. The
//! fields are declared with integers as text, so that decimal text is exact beyond 2^53 too.

use super::{FieldCheck, Finding};
use crate::wire::{Regime, Value};

impl FieldCheck {
    /// Reads the value that a text stands for; gives what is wrong with it, and then leaves the text as it is.
    pub(super) fn read_spelled(&self, value: &mut Value) -> Vec<Finding> {
        let as_text = self.findings(value, Regime::Json);
        if as_text.is_empty() {
            self.read(value, Regime::Json);
            return as_text;
        }
        let Some(mut spelled) = value.as_text().and_then(spelled) else { return as_text };
        // Numbers are numbers here, as they are in msgpack.
        let wrong = self.findings(&spelled, Regime::Msgpack);
        if wrong.is_empty() {
            self.read(&mut spelled, Regime::Msgpack);
            *value = spelled;
        }
        wrong
    }

    /// Whether it is a text without a letter, and the field takes none.
    pub(super) fn is_unset(&self, value: &Value) -> bool {
        value.as_text() == Some("") && !self.findings(value, Regime::Json).is_empty()
    }
}

/// The value that a text spells; JSON's null is no value, and blanks around one are a mistake.
fn spelled(text: &str) -> Option<Value> {
    if text.trim() != text {
        return None;
    }
    let json: serde_json::Value = serde_json::from_str(text).ok()?;
    Value::from_json(json).ok().filter(|value| !value.is_null())
}
