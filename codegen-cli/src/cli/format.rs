//! In which form verbs answer, on the command line.

use clap::Args;

use crate::output::Format;

/// In which form an answer is written.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct FormatArgs {
    /// How to write the answer
    #[arg(long, value_parser = Format::among(Format::DOCUMENT))]
    format: Option<Format>,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

/// In which form findings are written.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct FindingsArgs {
    /// How to write what is found
    #[arg(long, value_parser = Format::among(Format::FINDINGS), default_value = "text")]
    format: Format,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

impl FindingsArgs {
    /// The form that was asked for.
    pub(crate) fn asked(self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}

impl FormatArgs {
    /// The form that was asked for.
    pub(crate) fn asked(self) -> Option<Format> {
        if self.json { Some(Format::Json) } else { self.format }
    }

    /// The same where text is the default.
    pub(crate) fn or_text(self) -> Format {
        self.asked().unwrap_or(Format::Text)
    }
}

/// Whether a verb that writes files, or text by itself, says in JSON what it did.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct JsonArgs {
    /// How to say what was done; json: as one object on stdout, and what went wrong as one on stderr
    #[arg(long, value_parser = Format::among(Format::DONE), default_value = "text")]
    format: Format,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

impl JsonArgs {
    /// The form that was asked for.
    pub(crate) fn asked(self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}
