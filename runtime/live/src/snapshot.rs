//! One version of all exposed values, immutable and shared.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::Arc;

/// A name that clients use: from a table, or made at run time.
pub(crate) type Name = Cow<'static, str>;

/// All exposed values after one flush, as canonical JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    version: u64,
    names: Arc<[Name]>,
    values: Vec<Arc<str>>,
}

impl Snapshot {
    pub(crate) fn new(version: u64, names: Arc<[Name]>, values: Vec<Arc<str>>) -> Self {
        Self { version, names, values }
    }

    /// Its number: 1 for the first, and one more for each that differs.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// The JSON of a value; none for a name that is none.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// Names and values, in registration order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.names.iter().zip(&self.values).map(|(name, value)| (&**name, &**value))
    }

    /// The document of `live://state`.
    pub fn to_json(&self) -> String {
        let mut text = format!("{{\"version\":{},\"values\":{{", self.version);
        for (at, (name, value)) in self.iter().enumerate() {
            // A name has nothing to escape.
            let _ = write!(text, "{}\"{name}\":{value}", if at > 0 { "," } else { "" });
        }
        text.push_str("}}");
        text
    }

    /// The document of `live://state/{name}`.
    pub fn value_json(&self, name: &str) -> Option<String> {
        self.get(name).map(|value| format!("{{\"version\":{},\"value\":{value}}}", self.version))
    }

    pub(crate) fn values(&self) -> &[Arc<str>] {
        &self.values
    }

    /// How many bytes its values have.
    pub(crate) fn size(values: &[Arc<str>]) -> usize {
        values.iter().map(|value| value.len()).sum()
    }
}

/// What a flush has published.
#[derive(Clone, Debug)]
pub struct Publication {
    /// The new snapshot.
    pub snapshot: Arc<Snapshot>,
    /// The names whose values have changed, in registration order.
    pub changed: Vec<Name>,
}
