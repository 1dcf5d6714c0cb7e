//! The profiles: one contract, published in the form that a client can take.

use std::str::FromStr;

use crate::call::nearest;

/// What a client can take (`DESIGN.md` 7). Whatever a profile leaves out, the full contract is what is enforced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// Everything: references, the null of an optional argument, the array form of a picture.
    Full,
    /// References put in place, nulls of optional arguments left out.
    #[default]
    Inline,
    /// Every property required, null for what may be left out, only what a grammar can be made of.
    Strict,
    /// The part of `OpenAPI` 3.0 that Gemini's API takes.
    Gemini,
    /// In the words of draft 7, for clients before 2025-11-25.
    Legacy,
    /// The coarse schemas of the reference implementation (`wire.md` 1.2).
    Reference,
}

impl Profile {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Full, Self::Inline, Self::Strict, Self::Gemini, Self::Legacy, Self::Reference];

    /// Its name on the command line and in documents.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Inline => "inline",
            Self::Strict => "strict",
            Self::Gemini => "gemini",
            Self::Legacy => "legacy",
            Self::Reference => "reference",
        }
    }

    /// For whom it is, in a line of help.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Full => "All that the contract says, for clients that know JSON Schema 2020-12",
            Self::Inline => "Without references and nulls, for every client",
            Self::Strict => "Every property required, for APIs that fill arguments in by a grammar",
            Self::Gemini => "One type a schema and no references, for Gemini's API",
            Self::Legacy => "In the words of draft 7, for clients before 2025-11-25",
            Self::Reference => "As coarse as the Python reference implementation publishes it",
        }
    }
}

impl FromStr for Profile {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        if let Some(profile) = Self::ALL.into_iter().find(|profile| profile.as_str() == name) {
            return Ok(profile);
        }
        let names = Self::ALL.map(Self::as_str);
        Err(match nearest(name, names) {
            Some(nearest) => format!("there is no profile `{name}`; did you mean `{nearest}`?"),
            None => format!("there is no profile `{name}`; there are {}", names.join(", ")),
        })
    }
}
