//! `--reference` at the edge of a host: failures as the reference implementation words them (`wire.md` 9.3).

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use http::StatusCode;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use serde_json::json;

use super::error::reply;
use crate::call::Stage;
use crate::wire::Regime;

/// What a response tells of a failure, beside its body.
#[derive(Clone, Debug)]
pub(super) struct Told {
    /// The sentence.
    pub(super) detail: String,
    /// Where it arose.
    pub(super) stage: Stage,
    /// Whether it was the host's own time limit that ended the call.
    pub(super) timed_out: bool,
}

/// Says a failure in one sentence and in JSON, whatever the regime of the request; a node's failure is 500.
pub(super) async fn failures(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let Some(told) = response.extensions_mut().remove::<Told>() else { return response };
    let status = match told.stage {
        Stage::ExternalService | Stage::Mapping => StatusCode::INTERNAL_SERVER_ERROR,
        Stage::Timeout if !told.timed_out => StatusCode::INTERNAL_SERVER_ERROR,
        _ => response.status(),
    };
    let mut said = reply(Regime::Json, status, json!({ "detail": told.detail }).to_string());
    for (name, value) in response.headers() {
        if name != CONTENT_TYPE && name != CONTENT_LENGTH {
            said.headers_mut().append(name, value.clone());
        }
    }
    said
}
