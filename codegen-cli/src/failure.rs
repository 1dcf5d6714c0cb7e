//! What went wrong, said once: `error: …` and `hint: …` lines for people, one JSON object for programs.

use console::style;
use serde_json::{Map, Value};

use crate::exit::Exit;
use crate::output::{self, Format};

/// Why a verb could not do its work, and what to do about it.
#[derive(Debug)]
pub(crate) struct Failure(Box<Facts>);

#[derive(Debug)]
struct Facts {
    exit: Exit,
    kind: String,
    message: String,
    also: Vec<String>,
    hints: Vec<String>,
    quoted: Option<String>,
    details: Map<String, Value>,
}

impl Failure {
    /// `kind` is the word that programs match on; `message` is one sentence without a full stop.
    pub(crate) fn new(exit: Exit, kind: impl Into<String>, message: impl Into<String>) -> Self {
        let (kind, message) = (kind.into(), message.into());
        Self(Box::new(Facts {
            exit,
            kind,
            message,
            also: Vec::new(),
            hints: Vec::new(),
            quoted: None,
            details: Map::new(),
        }))
    }

    /// A mistake on the command line.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(Exit::Usage, "usage", message)
    }

    /// A file that cannot be read or written.
    pub(crate) fn file(path: &std::path::Path, error: std::io::Error) -> Self {
        Self::new(Exit::Usage, "file", format!("{}: {error}", path.display()))
    }

    /// Adds what else is wrong.
    pub(crate) fn and_also<'a>(mut self, sentences: impl Iterator<Item = &'a str>) -> Self {
        self.0.also.extend(sentences.map(str::to_owned));
        self
    }

    /// Adds a way out.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hints.push(hint.into());
        self
    }

    /// Quotes what another program said, below the message.
    pub(crate) fn quoting(mut self, text: impl Into<String>) -> Self {
        let text = text.into();
        if !text.trim().is_empty() {
            self.0.quoted = Some(text);
        }
        self
    }

    /// Adds a member to the JSON form.
    pub(crate) fn detail(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.0.details.insert(key.to_owned(), value.into());
        self
    }

    /// What is wrong, in a sentence.
    pub(crate) fn sentence(&self) -> &str {
        &self.0.message
    }

    /// The word that programs match on.
    pub(crate) fn kind(&self) -> &str {
        &self.0.kind
    }

    /// How the process ends.
    pub(crate) fn exit(&self) -> Exit {
        self.0.exit
    }

    /// Writes it on stderr and says how the process ends.
    pub(crate) fn report(&self, format: Format) -> Exit {
        if format.is_for_programs() {
            output::note(&self.json().to_string());
        } else {
            output::note(&self.text());
        }
        self.0.exit
    }

    pub(crate) fn text(&self) -> String {
        let mut lines =
            vec![format!("{} {}", style("error:").red().bold().for_stderr(), output::printable(&self.0.message))];
        for sentence in &self.0.also {
            lines.push(format!("{} {}", style("also:").red().for_stderr(), output::printable(sentence)));
        }
        if let Some(quoted) = &self.0.quoted {
            for line in quoted.trim_end().lines() {
                lines.push(format!("  {} {}", style("|").dim().for_stderr(), output::printable(line)));
            }
        }
        for hint in &self.0.hints {
            lines.push(format!("{} {}", style("hint:").cyan().bold().for_stderr(), output::printable(hint)));
        }
        lines.join("\n")
    }

    /// The object for programs.
    pub(crate) fn json(&self) -> Value {
        let mut object = Map::new();
        object.insert("error".to_owned(), self.0.message.clone().into());
        object.insert("type".to_owned(), self.0.kind.clone().into());
        object.insert("exit".to_owned(), self.0.exit.code().into());
        if !self.0.hints.is_empty() {
            object.insert("hint".to_owned(), self.0.hints.join("; ").into());
        }
        if let Some(quoted) = &self.0.quoted {
            object.insert("output".to_owned(), quoted.trim_end().into());
        }
        for (key, value) in &self.0.details {
            object.entry(key.as_str()).or_insert_with(|| value.clone());
        }
        Value::Object(object)
    }
}
