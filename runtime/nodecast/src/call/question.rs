//! Questions to the client in the middle of a call, as a face puts them (`mcp.md` 1); the module `ask` has the typed form.

use std::fmt;

use serde_json::{Map, Value as Json, json};

use super::BoxFuture;
use crate::Error;

/// What a client says that it can be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ability {
    /// Its user fills in a form.
    Form,
    /// Its user visits a page.
    Visit,
    /// Its model writes a message.
    Sampling,
    /// It lists the folders that it works on.
    Roots,
}

impl Ability {
    /// The capability of the protocol.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Form => "elicitation",
            Self::Visit => "elicitation.url",
            Self::Sampling => "sampling",
            Self::Roots => "roots",
        }
    }
}

impl fmt::Display for Ability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What is asked.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// A form for the user: what it is for, and the schema of its fields.
    Form {
        /// What the user reads.
        message: String,
        /// A flat object of texts, numbers, bools and choices.
        schema: Json,
    },
    /// A page for the user to visit.
    Visit {
        /// What the user reads.
        message: String,
        /// Where the page is.
        url: String,
    },
    /// A message for the model to write: the parameters of `sampling/createMessage`.
    Sampling(Map<String, Json>),
    /// The folders that the client works on.
    Roots,
}

impl Request {
    /// The method of the protocol.
    pub const fn method(&self) -> &'static str {
        match self {
            Self::Form { .. } | Self::Visit { .. } => "elicitation/create",
            Self::Sampling(_) => "sampling/createMessage",
            Self::Roots => "roots/list",
        }
    }

    /// The parameters of the method; none where it takes none.
    pub fn params(&self) -> Option<Json> {
        match self {
            Self::Form { message, schema } => {
                Some(json!({ "mode": "form", "message": message, "requestedSchema": schema }))
            }
            Self::Visit { message, url } => Some(json!({ "mode": "url", "message": message, "url": url })),
            Self::Sampling(params) => Some(Json::Object(params.clone())),
            Self::Roots => None,
        }
    }

    /// What the client must be able to do.
    pub const fn needs(&self) -> Ability {
        match self {
            Self::Form { .. } => Ability::Form,
            Self::Visit { .. } => Ability::Visit,
            Self::Sampling(_) => Ability::Sampling,
            Self::Roots => Ability::Roots,
        }
    }
}

/// One question, with the check of its answer.
pub struct Question {
    /// Its name within the call: an answer is found by it when the node runs again.
    pub key: String,
    /// What is asked.
    pub request: Request,
    check: Box<Check>,
}

/// Says what is wrong with an answer.
type Check = dyn Fn(&Json) -> Result<(), String> + Send + Sync;

impl Question {
    /// A question whose answers pass `check`, which says what is wrong with one.
    pub fn new(
        key: impl Into<String>,
        request: Request,
        check: impl Fn(&Json) -> Result<(), String> + Send + Sync + 'static,
    ) -> Self {
        Self { key: key.into(), request, check: Box::new(check) }
    }

    /// What is wrong with an answer.
    pub fn check(&self, answer: &Json) -> Result<(), String> {
        (self.check)(answer)
    }

    /// What is asked when an answer was not taken: people are told why.
    pub fn again(&self, problem: &str) -> Request {
        let told = |message: &str| format!("{message}\n(The answer before was not taken: {problem}.)");
        match &self.request {
            Request::Form { message, schema } => Request::Form { message: told(message), schema: schema.clone() },
            other => other.clone(),
        }
    }
}

impl fmt::Debug for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Question").field("key", &self.key).field("request", &self.request).finish_non_exhaustive()
    }
}

/// Who puts the questions of one call; a face implements it where its client can be asked.
pub trait Asker: Send + Sync {
    /// Whether the client said that it can be asked this.
    fn can(&self, ability: Ability) -> bool;

    /// Puts the questions, all in one round, and brings the client's results back, in order; each has passed its check.
    ///
    /// Where a client answers by calling again, the future never completes: the run ends, and the next one finds the
    /// answers.
    fn ask<'a>(&'a self, questions: &'a [Question]) -> BoxFuture<'a, Result<Vec<Json>, Error>>;

    /// Completes when the run is to end, since the client answers by calling again.
    fn suspended(&self) -> BoxFuture<'_, ()> {
        Box::pin(std::future::pending())
    }
}
