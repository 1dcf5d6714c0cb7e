//! Our questions as the requests of rmcp.

use std::sync::atomic::{AtomicU64, Ordering};

use rmcp::model::{
    ClientCapabilities, CreateMessageRequest, ElicitRequest, FormElicitationCapability, InputRequest, ListRootsRequest,
    RootsCapabilities, SamplingCapability, ServerRequest, UrlElicitationCapability,
};
use serde::de::DeserializeOwned;

use crate::Error;
use crate::call::{Ability, Request, Stage};

/// Tells the pages apart that users were asked to visit.
static VISITS: AtomicU64 = AtomicU64::new(0);

/// The request that a client answers in its next round.
pub(super) fn input(request: &Request) -> Result<InputRequest, Error> {
    Ok(match request {
        Request::Form { .. } | Request::Visit { .. } => InputRequest::Elicitation(ElicitRequest::new(params(request)?)),
        Request::Sampling(_) => InputRequest::CreateMessage(CreateMessageRequest::new(params(request)?)),
        Request::Roots => InputRequest::ListRoots(ListRootsRequest::default()),
    })
}

/// The same as a request on a session.
pub(super) fn request(request: &Request) -> Result<ServerRequest, Error> {
    Ok(match input(request)? {
        InputRequest::Elicitation(request) => ServerRequest::ElicitRequest(request),
        InputRequest::CreateMessage(request) => ServerRequest::CreateMessageRequest(request),
        InputRequest::ListRoots(request) => ServerRequest::ListRootsRequest(request),
        _ => return Err(Error::at(Stage::InternalRuntime, "bad_question", "a question of no known kind")),
    })
}

fn params<P: DeserializeOwned>(request: &Request) -> Result<P, Error> {
    let mut params = request.params().unwrap_or_default();
    if let (Request::Visit { .. }, Some(params)) = (request, params.as_object_mut()) {
        // The older era tells a page by it; the newer one has no use for it, and rmcp writes it all the same.
        let id = VISITS.fetch_add(1, Ordering::Relaxed);
        params.insert("elicitationId".to_owned(), format!("visit-{id}").into());
    }
    serde_json::from_value(params).map_err(|error| {
        let detail = format!("the question to the client is none of the protocol: {error}");
        Error::at(Stage::InternalRuntime, "bad_question", detail)
    })
}

/// What a client has to declare to be asked all of these.
pub(super) fn required(abilities: &[Ability]) -> ClientCapabilities {
    let mut required = ClientCapabilities::default();
    for ability in abilities {
        match ability {
            Ability::Form => {
                required.elicitation.get_or_insert_default().form = Some(FormElicitationCapability::default());
            }
            Ability::Visit => {
                required.elicitation.get_or_insert_default().url = Some(UrlElicitationCapability::default());
            }
            Ability::Sampling => required.sampling = Some(SamplingCapability::default()),
            Ability::Roots => required.roots = Some(RootsCapabilities::default()),
        }
    }
    required
}
