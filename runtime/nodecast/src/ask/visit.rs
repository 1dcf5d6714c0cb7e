//! A page that the client asks its user to visit, for what must not pass through the client: a password, a payment.

use serde_json::Value as Json;

use super::{Answer, Ask, next, passed};
use crate::Error;
use crate::call::{Question, Request};

/// Asks the user to open a page; accepted says that they agreed to, not that they are done there.
#[derive(Clone, Debug)]
pub struct Visit {
    key: String,
    message: String,
    url: String,
}

impl Visit {
    /// A page with its key in the call, what the user reads, and where it is.
    pub fn new(key: impl Into<String>, message: impl Into<String>, url: impl Into<String>) -> Self {
        Self { key: key.into(), message: message.into(), url: url.into() }
    }
}

impl Ask for Visit {
    type Answer = Answer<()>;

    fn questions(&self, into: &mut Vec<Question>) -> Result<(), Error> {
        let request = Request::Visit { message: self.message.clone(), url: self.url.clone() };
        into.push(Question::new(&self.key, request, |result| read(result).map(drop)));
        Ok(())
    }

    fn read(self, results: &mut dyn Iterator<Item = Json>) -> Result<Answer<()>, Error> {
        passed(read(&next(results)?))
    }
}

fn read(result: &Json) -> Result<Answer<()>, String> {
    Answer::read(result, |_| Ok(()))
}
