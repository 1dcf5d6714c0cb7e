//! The two streams: answers on stdout, remarks on stderr, both safe to pipe and safe to look at.

mod yaml;

use std::io::{self, ErrorKind, Write};

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use console::Term;
use serde_json::Value;

use crate::exit::Exit;
use crate::failure::Failure;

/// How an answer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Text,
    /// One JSON object on stdout; an error is one JSON object on stderr.
    Json,
    /// The same as YAML.
    Yaml,
    /// For a comment or a page.
    Markdown,
    /// Annotations of GitHub Actions: each finding at its line.
    Github,
    /// For the test reports of CI systems.
    Junit,
}

impl Format {
    /// Those of what a verb says when it has done something.
    pub(crate) const DONE: &[Self] = &[Self::Text, Self::Json];
    /// Those of a document.
    pub(crate) const DOCUMENT: &[Self] = &[Self::Text, Self::Json, Self::Yaml, Self::Markdown];
    /// Those of findings.
    pub(crate) const FINDINGS: &[Self] =
        &[Self::Text, Self::Json, Self::Yaml, Self::Markdown, Self::Github, Self::Junit];

    /// Reads one of these on the command line.
    pub(crate) fn among(formats: &'static [Self]) -> impl TypedValueParser<Value = Self> {
        let words = formats.iter().filter_map(ValueEnum::to_possible_value);
        PossibleValuesParser::new(words).try_map(|word| Self::from_str(&word, false))
    }

    /// Whether programs read it, and so errors too.
    pub(crate) fn is_for_programs(self) -> bool {
        matches!(self, Self::Json | Self::Yaml)
    }

    /// Whether people read it, who read a sentence once; the others want each finding at its place.
    pub(crate) fn is_for_people(self) -> bool {
        matches!(self, Self::Text | Self::Markdown | Self::Github)
    }

    /// Text on a terminal, JSON into a pipe or a file.
    pub(crate) fn by_terminal() -> Self {
        if Term::stdout().is_term() { Self::Text } else { Self::Json }
    }
}

/// Writes an answer on stdout, as it stands. A reader that has gone away is no failure.
pub(crate) fn answer(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::new(Exit::Unreachable, "output", format!("stdout: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes an answer and the end of its line, if it has none.
pub(crate) fn answer_line(text: &str) -> Result<(), Failure> {
    answer(&format!("{}\n", text.strip_suffix('\n').unwrap_or(text)))
}

/// Writes a JSON document for programs: as YAML if that was asked for, else as it stands, to the byte.
pub(crate) fn document(format: Format, json: &str) -> Result<(), Failure> {
    match format {
        Format::Yaml => answer(&yaml::text(&self::json(json)?)),
        _ => answer_line(json),
    }
}

/// Writes a line on stderr. There is nobody to tell if that fails.
pub(crate) fn note(line: &str) {
    let mut stderr = io::stderr().lock();
    let _ = writeln!(stderr, "{line}");
}

/// A document that should be JSON.
pub(crate) fn json(text: &str) -> Result<Value, Failure> {
    serde_json::from_str(text)
        .map_err(|error| Failure::new(Exit::Unreachable, "protocol", format!("the document is not JSON: {error}")))
}

/// Columns of the terminal, for text that fits it; 100 into a pipe.
pub(crate) fn width() -> u16 {
    let asked = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let known = || Term::stdout().size_checked().map(|(_, columns)| columns);
    asked.or_else(known).unwrap_or(100).max(40)
}

/// `text` with every character escaped that a terminal obeys instead of showing: control characters other than line
/// breaks and tabs, and the invisible ones that reorder what is read.
pub(crate) fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_shown(c) {
            shown.push(c);
        } else {
            shown.extend(c.escape_default());
        }
    }
    shown
}

fn is_shown(c: char) -> bool {
    match c {
        '\n' | '\t' => true,
        '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{2069}'
        | '\u{feff}'
        | '\u{e0000}'..='\u{e007f}' => false,
        c => !c.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printable_escapes_what_a_terminal_obeys() {
        assert_eq!(printable("a\u{1b}[2Jb"), "a\\u{1b}[2Jb");
        assert_eq!(printable("\u{1b}]52;c;aGk=\u{7}"), "\\u{1b}]52;c;aGk=\\u{7}");
        assert_eq!(printable("over\rwrite"), "over\\rwrite");
        assert_eq!(printable("c1 \u{9b}31m"), "c1 \\u{9b}31m");
        assert_eq!(printable("\u{202e}txt"), "\\u{202e}txt");
    }

    #[test]
    fn printable_keeps_text() {
        assert_eq!(printable("Größe\n\t→ 😀"), "Größe\n\t→ 😀");
    }
}
