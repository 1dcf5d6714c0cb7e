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
    /// The coarse schemas of the reference implementation (`wire.md` 1.2).
    Reference,
}

impl Profile {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Full, Self::Inline, Self::Reference];

    /// Its name on the command line and in documents.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Inline => "inline",
            Self::Reference => "reference",
        }
    }

    /// For whom it is, in a line of help.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Full => "All that the contract says, for clients that know JSON Schema 2020-12",
            Self::Inline => "Without references and nulls, for every client",
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
