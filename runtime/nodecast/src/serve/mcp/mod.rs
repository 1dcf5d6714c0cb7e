//! MCP over HTTP and stdio: rmcp behind a gate of our own (`mcp.md`).
//!
//! rmcp owns the protocol; this module owns what rmcp has no answer for: exclusivity, malformed bodies, lenient
//! `Accept`, and how a reply of the call path looks as a tool result. It knows nothing of how a node computes.

mod accept;
mod alive;
#[allow(deprecated, reason = "roots and sampling are on their way out, and clients of both eras still have them")]
mod asking;
#[allow(deprecated, reason = "as of the handler")]
mod calls;
mod changes;
mod content;
mod envelope;
mod error;
#[allow(deprecated, reason = "log messages are on their way out, and clients of both eras still ask for them")]
mod events;
mod gate;
#[cfg(test)]
mod golden;
#[allow(deprecated, reason = "the older era sets a log level once; the newer one with each request")]
mod handler;
mod keeping;
mod lane;
mod lease;
mod left_out;
mod lists;
#[allow(deprecated, reason = "as of the handler")]
mod methods;
mod offers;
mod published;
mod sessions;
mod signed;
mod tasks;
mod unanswered;
mod unstream;
mod version;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::{Extension, Request, State as Extract};
use axum::response::Response;
use http::{HeaderName, StatusCode};
use serde_json::{Value as Json, json};

pub(super) use envelope::{Envelope, INVALID_REQUEST, Malformed};
pub(super) use gate::Gate;
pub(super) use handler::{Handler, Reach};
pub(super) use methods::{is_of_another_era, misread, unknown as unknown_method};
pub(super) use published::{Filter, Published, Transport};
pub(super) use unanswered::{Arrived, Noted, Unanswered, taken};

use super::delivery::Connection;
use super::edge::Principal;
use super::error::Failure;
use super::face::Face;

/// The header that carries a session of the older era.
const SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");

/// Whether a face has MCP.
pub(super) enum State {
    /// Served.
    Up(Box<Gate>),
    /// Switched off.
    Off,
    /// It could not be built, for this reason.
    Failed(String),
}

impl State {
    /// The member of the health report.
    pub(super) fn report(&self) -> Json {
        match self {
            Self::Up(gate) => match gate.sessions() {
                Some(open) => json!({ "state": "up", "sessions": open }),
                None => json!({ "state": "up" }),
            },
            Self::Off => json!({ "state": "off" }),
            Self::Failed(reason) => json!({ "state": "failed", "reason": reason }),
        }
    }
}

/// Nothing panics while it holds one of these.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A request that got no further than the edge, in the form that MCP's clients read.
pub(super) fn refused(failure: &Failure) -> Response {
    error::failed(failure, &Json::Null)
}

/// `/mcp`.
pub(super) async fn handle(
    Extract(face): Extract<Arc<Face>>,
    Extension(principal): Extension<Principal>,
    request: Request,
) -> Response {
    let connection = request.extensions().get::<Connection>().cloned();
    answer(&face, principal, connection.as_ref(), request).await
}

/// Answers a request at `/mcp`, whose sender the edge knows.
pub(super) async fn answer(
    face: &Face,
    principal: Principal,
    connection: Option<&Connection>,
    request: Request,
) -> Response {
    match &face.mcp {
        State::Up(gate) => gate.handle(principal, connection, request).await,
        State::Off | State::Failed(_) => {
            error::refusal(StatusCode::NOT_FOUND, 404, "this host serves no MCP", None, &Json::Null)
        }
    }
}
