//! What came out: counts, and what the two verdicts disagree on.

use std::fmt;

use serde_json::Value as Json;

use crate::wire::Regime;

/// What came of judging a number of values.
#[derive(Clone, Debug, Default)]
pub struct Report {
    json: Tally,
    msgpack: Tally,
    excepted: [usize; 4],
    /// Values on which the published schema and the call path disagree; at most five a node are kept.
    pub disagreements: Vec<Disagreement>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    accepted: usize,
    refused: usize,
}

/// Where the call path may differ from the published schema, since JSON Schema cannot say it or does not assert it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exception {
    /// The range and the form of map keys other than strings and unit enums.
    MapKeys,
    /// Null for a config field on `/call`, which means that it was left out.
    UnsetConfig,
    /// The content of strings that have a `contentEncoding`.
    Content,
    /// What msgpack carries in place of the forms of JSON.
    Msgpack,
}

impl Exception {
    const ALL: [Self; 4] = [Self::MapKeys, Self::UnsetConfig, Self::Content, Self::Msgpack];

    fn as_str(self) -> &'static str {
        match self {
            Self::MapKeys => "map keys",
            Self::UnsetConfig => "unset config",
            Self::Content => "content",
            Self::Msgpack => "msgpack",
        }
    }
}

/// A value on which the two verdicts disagree.
#[derive(Clone, Debug, PartialEq)]
pub struct Disagreement {
    /// The node's full name.
    pub node: String,
    /// The seed with which it comes again.
    pub seed: u64,
    /// How the value travelled.
    pub regime: Regime,
    /// The arguments, as JSON writes them.
    pub arguments: Json,
    /// What the published schema says.
    pub published: String,
    /// What the call path says.
    pub ours: String,
}

impl Report {
    /// How many values both sides accepted.
    pub fn accepted(&self) -> usize {
        self.json.accepted + self.msgpack.accepted
    }

    /// How many values both sides refused.
    pub fn refused(&self) -> usize {
        self.json.refused + self.msgpack.refused
    }

    /// How many values came under one of the stated exceptions.
    pub fn excepted(&self, exception: Exception) -> usize {
        self.excepted.get(exception as usize).copied().unwrap_or_default()
    }

    /// How many values were judged, each regime counted by itself.
    pub fn judged(&self) -> usize {
        self.accepted() + self.refused() + self.excepted.iter().sum::<usize>() + self.disagreements.len()
    }

    /// Adds what came out elsewhere.
    pub fn add(&mut self, other: Self) {
        for (own, other) in [(&mut self.json, other.json), (&mut self.msgpack, other.msgpack)] {
            own.accepted += other.accepted;
            own.refused += other.refused;
        }
        for (own, other) in self.excepted.iter_mut().zip(other.excepted) {
            *own += other;
        }
        self.disagreements.extend(other.disagreements);
    }

    /// Ends the test where there is a disagreement.
    ///
    /// # Panics
    ///
    /// With the report as its text.
    #[track_caller]
    pub fn assert(&self) {
        assert!(self.disagreements.is_empty(), "{self}");
    }

    pub(super) fn count(&mut self, regime: Regime, accepted: bool) {
        let tally = match regime {
            Regime::Json => &mut self.json,
            Regime::Msgpack => &mut self.msgpack,
        };
        if accepted {
            tally.accepted += 1;
        } else {
            tally.refused += 1;
        }
    }

    pub(super) fn except(&mut self, exception: Exception) {
        if let Some(count) = self.excepted.get_mut(exception as usize) {
            *count += 1;
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} values judged", self.judged())?;
        for (regime, tally) in [("JSON", self.json), ("msgpack", self.msgpack)] {
            writeln!(f, "  {regime}: {} accepted, {} refused", tally.accepted, tally.refused)?;
        }
        writeln!(f, "  in all: {} accepted, {} refused", self.accepted(), self.refused())?;
        let excepted = Exception::ALL.map(|exception| format!("{} {}", exception.as_str(), self.excepted(exception)));
        writeln!(f, "  under a stated exception: {}", excepted.join(", "))?;
        write!(f, "  {} disagreements", self.disagreements.len())?;
        self.disagreements.iter().try_for_each(|disagreement| write!(f, "\n\n{disagreement}"))
    }
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let regime = match self.regime {
            Regime::Json => "JSON",
            Regime::Msgpack => "msgpack",
        };
        writeln!(f, "`{}`, in {regime}, seed {}", self.node, self.seed)?;
        writeln!(f, "  arguments:        {}", self.arguments)?;
        writeln!(f, "  published schema: {}", self.published)?;
        write!(f, "  call path:        {}", self.ours)
    }
}
