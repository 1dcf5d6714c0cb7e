//! What verbs that judge have found, in every form: for people, for programs, for a comment, for a CI system.
//!
//! A verb makes findings and knows no form; a form knows no verb.

mod forms;

use serde_json::{Map, Value, json};

use crate::failure::Failure;
use crate::output::{self, Format};

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    /// Worth knowing.
    Notice,
    /// Worth a thought.
    Warning,
    /// The verb fails because of it.
    Error,
}

impl Level {
    /// The word for programs, which is also GitHub's.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Notice => "notice",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// Where something is declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// From the current folder, where it is below it.
    pub(crate) file: String,
    /// From 1.
    pub(crate) line: u64,
}

/// One thing that was found.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    /// How much it matters.
    pub(crate) level: Level,
    /// In a word: `breaking`, `stale`, `warning` …
    pub(crate) verdict: &'static str,
    /// What it is about, of a change of a contract: `wire`, `words` …
    pub(crate) class: Option<&'static str>,
    /// The id of the rule.
    pub(crate) rule: String,
    /// The node, tool or file that it is about.
    pub(crate) subject: String,
    /// Where in it, as a JSON pointer; empty for all of it.
    pub(crate) pointer: String,
    /// What is the matter, without a full stop.
    pub(crate) message: String,
    /// Why that matters, or what to do; may be empty.
    pub(crate) why: String,
    /// Where it is declared, where known.
    pub(crate) place: Option<Place>,
}

impl Finding {
    fn json(&self) -> Value {
        let Self { level, verdict, class, rule, subject, pointer, message, why, place } = self;
        let mut object = Map::new();
        for (key, word) in [
            ("level", level.as_str()),
            ("verdict", verdict),
            ("rule", rule),
            ("subject", subject),
            ("pointer", pointer),
            ("message", message),
            ("why", why),
        ] {
            object.insert(key.to_owned(), word.into());
        }
        if let Some(class) = class {
            object.insert("class".to_owned(), (*class).into());
        }
        if let Some(Place { file, line }) = place {
            object.insert("file".to_owned(), file.as_str().into());
            object.insert("line".to_owned(), (*line).into());
        }
        Value::Object(object)
    }
}

/// Rows of words, the first of them a name.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// What stands in each column.
    pub(crate) head: Vec<String>,
    /// As many words each.
    pub(crate) rows: Vec<Vec<String>>,
}

/// All that a verb has found.
#[derive(Clone, Debug)]
pub(crate) struct Report {
    /// The verb.
    pub(crate) verb: &'static str,
    /// In the order in which they are read.
    pub(crate) findings: Vec<Finding>,
    /// What people get besides.
    pub(crate) table: Option<Table>,
    /// What programs get besides.
    pub(crate) facts: Map<String, Value>,
    /// The whole in a sentence, without a full stop.
    pub(crate) closing: String,
}

impl Report {
    /// Writes it on stdout.
    pub(crate) fn write(&self, format: Format) -> Result<(), Failure> {
        match format {
            Format::Json | Format::Yaml => output::document(format, &self.json().to_string()),
            Format::Text => output::answer_line(&forms::text(self)),
            Format::Markdown => output::answer_line(&forms::markdown(self)),
            Format::Github => output::answer_line(&forms::github(self)),
            Format::Junit => output::answer_line(&forms::junit(self)),
        }
    }

    fn json(&self) -> Value {
        let mut object = Map::new();
        object.insert("verb".to_owned(), self.verb.into());
        object.insert("closing".to_owned(), self.closing.as_str().into());
        object.extend(self.facts.clone());
        object.insert("findings".to_owned(), json!(self.findings.iter().map(Finding::json).collect::<Vec<_>>()));
        Value::Object(object)
    }
}
