//! The newer era: a run that asks ends, its questions go out with a sealed state, and the client calls again with the
//! answers; the node runs anew and finds them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use rmcp::model::{ClientCapabilities, ErrorData, InputRequests, InputRequiredResult, InputResponses};
use serde_json::Value as Json;
use tokio_util::sync::CancellationToken;

use super::super::lock;
use super::seal::{Before, Seals};
use super::{Origin, can, convert, lacks};
use crate::Error;
use crate::call::{Ability, Asker, BoxFuture, Question};

/// Answers, by the keys of their questions.
pub(super) type Answers = BTreeMap<String, Json>;

/// One round of a call.
pub(in crate::serve::mcp) struct Rounds {
    seals: Arc<Seals>,
    capabilities: ClientCapabilities,
    /// Answers that passed in rounds before.
    carried: Answers,
    /// What came with this request for what was asked; nobody has looked at it yet.
    sent: InputResponses,
    found: Mutex<Found>,
    suspended: CancellationToken,
}

/// What the run brought up.
#[derive(Default)]
struct Found {
    /// Answers that passed, of this round and those before.
    kept: Answers,
    /// Questions without an answer, or with one that does not fit.
    open: InputRequests,
    /// What the client did not declare.
    lacking: Vec<Ability>,
}

impl Rounds {
    pub(super) fn new(
        seals: Arc<Seals>,
        capabilities: ClientCapabilities,
        carried: Answers,
        sent: InputResponses,
    ) -> Self {
        // A question that this run does not come to keeps the answer that it had.
        let found = Mutex::new(Found { kept: carried.clone(), ..Found::default() });
        Self { seals, capabilities, carried, sent, found, suspended: CancellationToken::new() }
    }

    /// The first round, to which the client has brought nothing.
    pub(in crate::serve::mcp) fn first(seals: Arc<Seals>, capabilities: ClientCapabilities) -> Self {
        Self::new(seals, capabilities, Answers::default(), InputResponses::default())
    }

    /// Whether the run has asked what it has no answer to.
    pub(in crate::serve::mcp) fn has_asked(&self) -> bool {
        let found = lock(&self.found);
        !found.open.is_empty() || !found.lacking.is_empty()
    }

    /// Whether the run found answers, of this round or of those before.
    pub(super) fn has_answers(&self) -> bool {
        !lock(&self.found).kept.is_empty()
    }

    /// The open questions, with the state that brings the answers so far back, sealed for this request; none where all
    /// are answered.
    pub(super) fn open(&self, request: &Origin<'_>) -> Result<Option<InputRequiredResult>, ErrorData> {
        let mut found = lock(&self.found);
        if found.open.is_empty() {
            return Ok(None);
        }
        let asked = found.open.keys().cloned().collect();
        let before = Before { answers: std::mem::take(&mut found.kept), asked };
        let state = self.seals.seal(before, &request.digest())?;
        Ok(Some(InputRequiredResult::new(Some(std::mem::take(&mut found.open)), Some(state))))
    }

    /// What the client would have to declare, where the node asked for more than it did.
    pub(super) fn lacking(&self) -> Option<ClientCapabilities> {
        let found = lock(&self.found);
        (!found.lacking.is_empty()).then(|| convert::required(&found.lacking))
    }

    /// The answers to all questions, or none while some are open.
    fn answers(&self, questions: &[Question]) -> Result<Option<Vec<Json>>, Error> {
        let mut found = lock(&self.found);
        let lacking = questions.iter().map(|question| question.request.needs()).filter(|it| !self.can(*it));
        let lacking: Vec<_> = lacking.collect();
        if let Some(first) = lacking.first().copied() {
            found.lacking.extend(lacking);
            return Err(lacks(first));
        }
        let mut answers = Vec::with_capacity(questions.len());
        for question in questions {
            // What was answered in a round before stays answered, unless the node asks for something else by now.
            let candidates = [self.carried.get(&question.key), self.sent.get(&question.key)];
            let mut problem = None;
            let answer = candidates.into_iter().flatten().find(|answer| match question.check(answer) {
                Ok(()) => true,
                Err(wrong) => {
                    problem.get_or_insert(wrong);
                    false
                }
            });
            match (answer, problem) {
                (Some(answer), _) => {
                    found.kept.insert(question.key.clone(), answer.clone());
                    answers.push(answer.clone());
                }
                (None, problem) => {
                    let request = problem.map_or_else(|| question.request.clone(), |wrong| question.again(&wrong));
                    found.open.insert(question.key.clone(), convert::input(&request)?);
                }
            }
        }
        Ok((answers.len() == questions.len()).then_some(answers))
    }
}

impl Asker for Rounds {
    fn can(&self, ability: Ability) -> bool {
        can(&self.capabilities, ability)
    }

    fn ask<'a>(&'a self, questions: &'a [Question]) -> BoxFuture<'a, Result<Vec<Json>, Error>> {
        match self.answers(questions) {
            Ok(Some(answers)) => Box::pin(std::future::ready(Ok(answers))),
            Err(error) => Box::pin(std::future::ready(Err(error))),
            Ok(None) => {
                self.suspended.cancel();
                Box::pin(std::future::pending())
            }
        }
    }

    fn suspended(&self) -> BoxFuture<'_, ()> {
        Box::pin(self.suspended.cancelled())
    }
}
