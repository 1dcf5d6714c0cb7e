//! The folders that a client works on.

use serde::Deserialize;
use serde_json::Value as Json;

use super::{Ask, next, passed};
use crate::Error;
use crate::call::{Question, Request};

/// Asks the client for the folders that it works on.
#[derive(Clone, Debug)]
pub struct Roots {
    key: String,
}

/// One of these folders.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Root {
    /// Where it is; a `file://` URI.
    pub uri: String,
    /// What people call it.
    pub name: Option<String>,
}

impl Roots {
    /// The question with its key in the call.
    pub fn new(key: impl Into<String>) -> Self {
        Self { key: key.into() }
    }
}

impl Ask for Roots {
    type Answer = Vec<Root>;

    fn questions(&self, into: &mut Vec<Question>) -> Result<(), Error> {
        into.push(Question::new(&self.key, Request::Roots, |result| read(result).map(drop)));
        Ok(())
    }

    fn read(self, results: &mut dyn Iterator<Item = Json>) -> Result<Vec<Root>, Error> {
        passed(read(&next(results)?))
    }
}

fn read(result: &Json) -> Result<Vec<Root>, String> {
    let roots = result.get("roots").ok_or("a list of folders has `roots`")?;
    Vec::deserialize(roots).map_err(|error| format!("`roots`: {error}"))
}
