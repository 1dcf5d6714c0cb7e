//! What a user answers: yes with something in it, no, or nothing.

use serde_json::Value as Json;

use crate::Error;

/// What became of a question to the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer<T> {
    /// The user answered.
    Accepted(T),
    /// The user said no.
    Declined,
    /// The user closed it without an answer.
    Cancelled,
}

impl<T> Answer<T> {
    /// What the user answered; an error of type `declined` or `dismissed`, which the caller reads, where the user did not.
    pub fn accepted(self) -> Result<T, Error> {
        match self {
            Self::Accepted(answer) => Ok(answer),
            Self::Declined => Err(Error::new("declined", "the user declined")),
            Self::Cancelled => Err(Error::new("dismissed", "the user closed the question without an answer")),
        }
    }

    /// The same with the answer made into something else.
    pub fn map<U>(self, make: impl FnOnce(T) -> U) -> Answer<U> {
        match self {
            Self::Accepted(answer) => Answer::Accepted(make(answer)),
            Self::Declined => Answer::Declined,
            Self::Cancelled => Answer::Cancelled,
        }
    }

    /// The word of the protocol: `accept`, `decline` or `cancel`.
    pub const fn action(&self) -> &'static str {
        match self {
            Self::Accepted(_) => "accept",
            Self::Declined => "decline",
            Self::Cancelled => "cancel",
        }
    }

    /// Reads the result of `elicitation/create`; `content` reads what was filled in.
    pub(super) fn read(
        result: &Json,
        content: impl FnOnce(Option<&Json>) -> Result<T, String>,
    ) -> Result<Self, String> {
        match result.get("action").and_then(Json::as_str) {
            Some("accept") => Ok(Self::Accepted(content(result.get("content"))?)),
            Some("decline") => Ok(Self::Declined),
            Some("cancel") => Ok(Self::Cancelled),
            _ => Err("an answer of the user has the `action` accept, decline or cancel".to_owned()),
        }
    }
}
