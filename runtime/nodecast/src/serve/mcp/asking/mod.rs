//! Questions of a node to its client, as the client's era has them (`mcp.md` 1): the newer one ends a round with
//! `InputRequiredResult` and is called again, the older one takes requests of the server on its session.

mod convert;
mod rounds;
mod seal;
mod session;
mod task;

use std::borrow::Cow;
use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, ClientCapabilities, ErrorData, InputRequiredResult, InputResponses, JsonObject,
};
use rmcp::service::RequestContext;
use serde::Deserialize;
use serde_json::Value as Json;
use sha2::{Digest, Sha256};

pub(super) use self::rounds::Rounds;
pub(super) use self::seal::Seals;
use self::session::Session;
pub(super) use self::task::TaskAsker;
use crate::Error;
use crate::call::{Ability, Asker, BoxFuture, Question, Stage};

/// A request that may ask, as far as its answers are bound to it.
pub(super) struct Origin<'a> {
    /// Such as `tools/call`.
    pub(super) method: &'static str,
    /// What is called or read.
    pub(super) name: Cow<'a, str>,
    pub(super) arguments: Option<Cow<'a, JsonObject>>,
    /// Who calls, where that is known.
    pub(super) principal: Option<Cow<'a, str>>,
}

impl Origin<'_> {
    /// The same for longer: most runs ask nothing, and a copy costs less than a digest.
    fn kept(self) -> Origin<'static> {
        Origin {
            method: self.method,
            name: self.name.into_owned().into(),
            arguments: self.arguments.map(|arguments| Cow::Owned(arguments.into_owned())),
            principal: self.principal.map(|principal| principal.into_owned().into()),
        }
    }

    /// What a state is sealed for: another request, or another caller, does not open it.
    fn digest(&self) -> Vec<u8> {
        let arguments = serde_json_canonicalizer::to_vec(&self.arguments).unwrap_or_default();
        let mut hash = Sha256::new();
        // Each part with its length, so that no two requests are one text.
        for part in [self.method.as_bytes(), self.name.as_bytes(), &arguments] {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
        // An absent principal is none of any name.
        hash.update([u8::from(self.principal.is_some())]);
        hash.update(self.principal.as_deref().unwrap_or_default());
        hash.finalize().to_vec()
    }
}

/// How the client of one request is asked.
pub(super) enum Asking {
    /// By the next round, whose state is sealed for this request.
    Rounds(Arc<Rounds>, Origin<'static>),
    /// On its session.
    Session(Arc<Session>),
    /// Not at all, and not for want of a session.
    Deaf,
    /// Not at all.
    Nobody,
}

/// How a question of the older era reaches the client of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// On the connection, which outlives the request.
    Session,
    /// On none that it reads: it takes the answer alone.
    Deaf,
    /// On none.
    None,
}

/// What a request is answered with.
pub(super) enum Outcome {
    /// The client is to answer first.
    Asks(InputRequiredResult),
    /// The client lacks what the node needs.
    Refused(ErrorData),
    /// The call ended by itself.
    Ended,
}

impl Asking {
    /// How the client of this request is asked.
    ///
    /// Fails for a state that is none of this request.
    pub(super) fn new(
        seals: &Arc<Seals>,
        cx: &RequestContext<RoleServer>,
        origin: Origin<'_>,
        (answers, state): (Option<InputResponses>, Option<String>),
        way: Way,
    ) -> Result<Self, ErrorData> {
        let capabilities = cx.client_capabilities().unwrap_or_default();
        if cx.protocol_version().is_some_and(|version| !version.has_initialize()) {
            let before = state.map(|state| seals.open(&state, &origin.digest())).transpose()?.unwrap_or_default();
            // What was not asked in the round before is no answer, whatever its key will mean in a later one: without a
            // state nothing was asked.
            let mut answers = answers.unwrap_or_default();
            answers.retain(|key, _| before.asked.contains(key));
            let rounds = Rounds::new(seals.clone(), capabilities, before.answers, answers);
            return Ok(Self::Rounds(Arc::new(rounds), origin.kept()));
        }
        Ok(match way {
            Way::Session => Self::Session(Arc::new(Session::new(cx.peer.clone(), capabilities))),
            Way::Deaf => Self::Deaf,
            Way::None => Self::Nobody,
        })
    }

    /// The same of a call whose first round has come to a question, by its message; none for a message of another kind.
    pub(super) fn of_call(rounds: Arc<Rounds>, message: &[u8], principal: Option<&str>) -> Option<Self> {
        #[derive(Deserialize)]
        struct Call {
            params: CallToolRequestParams,
        }
        let Call { params } = serde_json::from_slice(message).ok()?;
        let origin = Origin {
            method: "tools/call",
            name: params.name,
            arguments: params.arguments.map(Cow::Owned),
            principal: principal.map(Into::into),
        };
        Some(Self::Rounds(rounds, origin.kept()))
    }

    /// Who puts the node's questions.
    pub(super) fn asker(&self) -> Option<Arc<dyn Asker>> {
        match self {
            Self::Rounds(rounds, _) => Some(rounds.clone()),
            Self::Session(session) => Some(session.clone()),
            Self::Deaf => Some(Arc::new(Deaf)),
            Self::Nobody => None,
        }
    }

    /// Whether the result stands on what the client answered. A cache knows the request alone, so nobody may keep it.
    pub(super) fn was_answered(&self) -> bool {
        matches!(self, Self::Rounds(rounds, _) if rounds.has_answers())
    }

    /// What to answer when the run has ended: its own result, unless it failed for what it asked.
    pub(super) fn outcome(&self, failed: bool) -> Result<Outcome, ErrorData> {
        let (Self::Rounds(rounds, origin), true) = (self, failed) else { return Ok(Outcome::Ended) };
        if let Some(asks) = rounds.open(origin)? {
            return Ok(Outcome::Asks(asks));
        }
        Ok(rounds
            .lacking()
            .map_or(Outcome::Ended, |lacking| Outcome::Refused(ErrorData::missing_required_client_capability(lacking))))
    }
}

/// A client with a session that reads nothing but the answer: it cannot be asked, and is told why.
struct Deaf;

impl Asker for Deaf {
    fn can(&self, _: Ability) -> bool {
        false
    }

    fn ask<'a>(&'a self, _: &'a [Question]) -> BoxFuture<'a, Result<Vec<Json>, Error>> {
        let detail = "the node has a question for its client, but this request accepts JSON alone, and questions come as \
                      events before the answer; accept `application/json, text/event-stream`";
        Box::pin(std::future::ready(Err(Error::new("cannot_ask", detail))))
    }
}

/// A client that answers what does not fit is asked so often, where it answers at once.
const TRIES: usize = 3;

/// Whether a client declared that it can be asked this.
pub(super) fn can(capabilities: &ClientCapabilities, ability: Ability) -> bool {
    let elicitation = capabilities.elicitation.as_ref();
    match ability {
        // A client that names no mode has forms, as before there were modes.
        Ability::Form => elicitation.is_some_and(|modes| modes.form.is_some() || modes.url.is_none()),
        Ability::Visit => elicitation.is_some_and(|modes| modes.url.is_some()),
        Ability::Sampling => capabilities.sampling.is_some(),
        Ability::Roots => capabilities.roots.is_some(),
    }
}

/// The failure of a node that asks what the client cannot answer.
fn lacks(ability: Ability) -> Error {
    let detail = format!("the node asks its client for `{ability}`, which this client does not declare");
    Error::new("missing_capability", detail)
}

/// The failure of a node whose client does not answer what it was asked.
fn wrong_answer(question: &Question, problem: &str) -> Error {
    let detail = format!("the client does not answer `{}` as it was asked: {problem}", question.key);
    Error::new("bad_answer", detail).stage_of(Stage::ExternalService)
}
