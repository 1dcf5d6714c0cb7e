//! What a node asks its client in the middle of a call: a form or a page for the user, a message of the model, the folders
//! that the client works on. Typed questions over `call::Asker`; this module knows no face.
//!
//! ```
//! use nodecast::ask::Form;
//! use nodecast::prelude::*;
//!
//! /// Keeps files.
//! #[nodeset(nodes(Delete))]
//! #[derive(Default)]
//! struct Files;
//!
//! /// Deletes a file, if the user says so.
//! #[node(destructive)]
//! struct Delete {
//!     /// Its name.
//!     name: String,
//! }
//!
//! /// What the user is asked.
//! #[derive(serde::Deserialize, schemars::JsonSchema)]
//! struct Confirm {
//!     /// Whether to delete it for good.
//!     sure: bool,
//! }
//!
//! impl Node<Files> for Delete {
//!     type Output = String;
//!     type Error = Error;
//!
//!     async fn run(self, _: &Files, cx: &Context) -> Result<String, Error> {
//!         let question = Form::<Confirm>::new("confirm", format!("Delete {}?", self.name));
//!         // Nothing is done before the answer: where the client answers by calling again, the node starts anew.
//!         let Confirm { sure } = cx.ask(question).await?.accepted()?;
//!         Ok(if sure { format!("{} is gone", self.name) } else { format!("{} stays", self.name) })
//!     }
//! }
//! ```

mod answer;
mod form;
mod roots;
mod sampling;
mod several;
mod visit;

use serde_json::Value as Json;

pub use answer::Answer;
pub use form::Form;
pub use roots::{Root, Roots};
pub use sampling::{Sampled, Sampling};
pub use visit::Visit;

pub use crate::call::Ability;

use crate::Error;
use crate::call::{Context, Question, Stage};

/// One question, or several that are put in one round: a tuple, a list, or an `Option` of what is not always asked.
///
/// Questions are told apart by their keys, which are chosen by the node and the same in every run of a call.
pub trait Ask: Sized + Send {
    /// What the client answers.
    type Answer;

    /// The questions as faces put them, in order.
    #[doc(hidden)]
    fn questions(&self, into: &mut Vec<Question>) -> Result<(), Error>;

    /// The answer, out of as many results of the client as there were questions.
    #[doc(hidden)]
    fn read(self, results: &mut dyn Iterator<Item = Json>) -> Result<Self::Answer, Error>;
}

impl Context {
    /// Whether the client can be asked this; a node that can do without asks only where it is so.
    pub fn can_ask(&self, ability: Ability) -> bool {
        self.asker().is_some_and(|asker| asker.can(ability))
    }

    /// Asks the client, and waits for its answers: to one question, or to several in one round.
    ///
    /// In the older era of MCP the call waits. In the newer one a client answers by calling again: this run of the node
    /// ends here, and the next one finds the answer at once. So what stands before a question is done once a round, and
    /// a node that changes something asks first. An answer that does not fit is asked for again, so that what comes
    /// back has passed the question's schema.
    ///
    /// # Errors
    ///
    /// `cannot_ask` where nobody can be asked: over `/call`, in a batch, or without a session in the older era;
    /// `missing_capability` where the client did not say that it can. Both end the call unless the node does something
    /// about them. `cancelled` where the run ends meanwhile.
    pub async fn ask<A: Ask>(&self, ask: A) -> Result<A::Answer, Error> {
        let mut questions = Vec::new();
        ask.questions(&mut questions)?;
        if let Some(twice) = twice(&questions) {
            let detail = format!("the node asks two questions with the key `{twice}`; an answer is found by its key");
            return Err(Error::at(Stage::AdapterExecution, "bad_question", detail));
        }
        if questions.is_empty() {
            return ask.read(&mut std::iter::empty());
        }
        let Some(asker) = self.asker() else { return Err(nobody(self.caller().face)) };
        let results = self.cancellation().run_until_cancelled(asker.ask(&questions)).await;
        let cancelled = || Error::at(Stage::Cancelled, "cancelled", "the call ended before the client had answered");
        ask.read(&mut results.ok_or_else(cancelled)??.into_iter())
    }
}

fn twice(questions: &[Question]) -> Option<&str> {
    let mut keys: Vec<_> = questions.iter().map(|question| question.key.as_str()).collect();
    keys.sort_unstable();
    keys.windows(2).find_map(|pair| (pair.first() == pair.last()).then(|| pair.first().copied())).flatten()
}

fn nobody(face: &str) -> Error {
    let why = match face {
        "batch" => "it runs for several callers at once",
        "mcp" => "this client has no session; connect with one, or with protocol 2026-07-28",
        "http" => "`/call` has nobody to ask; call it over MCP",
        _ => "nobody can be asked here; call it over MCP",
    };
    Error::at(Stage::AdapterExecution, "cannot_ask", format!("the node has a question for its client, but {why}"))
}

/// The next result; as many come as were asked for.
fn next(results: &mut dyn Iterator<Item = Json>) -> Result<Json, Error> {
    let missing = || Error::at(Stage::InternalRuntime, "no_answer", "a face brought fewer answers than questions");
    results.next().ok_or_else(missing)
}

/// A result that passed the check of its question passes it again.
fn passed<T>(read: Result<T, String>) -> Result<T, Error> {
    read.map_err(|problem| Error::at(Stage::InternalRuntime, "bad_answer", problem))
}

#[cfg(test)]
mod tests;
