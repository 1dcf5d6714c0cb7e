//! The lease of an exclusive nodeset as clients of MCP take it, show it and give it back (`mcp.md` 4).
//!
//! Over stdio the process holds it, and in the older era the session; there the tools change nothing. In the newer era a
//! lease is all that ties two requests together.

use rmcp::RoleServer;
use rmcp::model::{CallToolResult, ContentBlock, JsonObject};
use rmcp::service::RequestContext;
use serde_json::Value as Json;

use super::calls::{parts, principal, session};
use super::content;
use super::published::{Published, Transport};
use crate::Error;
use crate::call::{Finding, Stage, escape, nearest};
use crate::contract::LEASE;
use crate::serve::delivery::Slot;
use crate::serve::lease::{self, Taken, Verb};
use crate::serve::server::Hosted;
use crate::session::{Holder, InFlight, Key, SharedLeases};

/// What `acquire` gives where the session or the process is the lease.
const OWN: &str = "this-session";

/// Counts a call on the lease of an exclusive nodeset, and takes the lease out of its arguments.
pub(super) fn begin(
    published: &Published,
    hosted: &Hosted,
    arguments: &mut JsonObject,
    cx: &RequestContext<RoleServer>,
) -> Result<Option<InFlight>, Error> {
    let Some(leases) = &hosted.lease else { return Ok(None) };
    let shown = if published.takes_leases(hosted) { arguments.shift_remove(LEASE) } else { None };
    let shown = text(shown.as_ref())?;
    let pass = match own_key(published.transport, cx) {
        Some(key) => leases.admit(&key, principal(cx)).ok_or_else(|| lost(hosted))?,
        None => lease::opened(hosted, leases, shown, principal(cx))?,
    };
    pass.begin().map(Some).ok_or_else(|| lost(hosted))
}

/// A call that failed; where it showed no lease, also who has it.
pub(super) fn failure(published: &Published, hosted: &Hosted, error: &Error) -> CallToolResult {
    published.kept_to(content::failure_with(error, lease::holder(hosted, error)))
}

/// Answers one of the two tools.
pub(super) fn answer(
    published: &Published,
    hosted: &Hosted,
    verb: Verb,
    arguments: &JsonObject,
    cx: &RequestContext<RoleServer>,
) -> CallToolResult {
    // Names are published where there is a lease alone.
    let Some(leases) = &hosted.lease else { return content::failure(&lease::unknown(hosted)) };
    let own = own_key(published.transport, cx);
    let answer = check(verb, arguments).and_then(|()| match (verb, own) {
        (Verb::Acquire, None) => Ok(take(hosted, leases, cx)),
        (Verb::Release, None) => {
            let pass = lease::opened(hosted, leases, text(arguments.get(LEASE))?, principal(cx))?;
            Ok(Taken::Now(lease::released(pass.release())))
        }
        (verb, Some(key)) => {
            leases.admit(&key, principal(cx)).ok_or_else(|| lost(hosted))?;
            Ok(Taken::Now(match verb {
                Verb::Acquire => lease::acquired(leases, OWN),
                Verb::Release => lease::released(false),
            }))
        }
    });
    match answer {
        Ok(Taken::Now(answer)) => {
            let mut result = CallToolResult::success(vec![ContentBlock::text(answer.to_string())]);
            result.structured_content = Some(answer);
            result
        }
        Ok(Taken::Not(error, data)) => content::failure_with(&error, data),
        Err(error) => failure(published, hosted, &error),
    }
}

fn take(hosted: &Hosted, leases: &SharedLeases, cx: &RequestContext<RoleServer>) -> Taken {
    // What the connection says of a request without a name is rmcp's own.
    let label = match cx.meta.client_info() {
        Some(client) => format!("{} {}", client.name, client.version),
        None => "a client that gives no name".to_owned(),
    };
    let slot = parts(cx).and_then(|parts| parts.extensions.get::<Slot>());
    lease::acquire(hosted, leases, Holder::new(principal(cx).map(str::to_owned), &label), slot)
}

/// The key that a client has without showing any: none in the newer era over HTTP.
fn own_key(transport: Transport, cx: &RequestContext<RoleServer>) -> Option<Key> {
    let has_sessions = cx.protocol_version().is_none_or(|version| version.has_initialize());
    match transport {
        Transport::Stdio => Some(Key::Process),
        Transport::Http if has_sessions => session(cx).map(Key::Session),
        Transport::Http => None,
    }
}

/// The gate lets a holder through; between it and here the session may have ended.
fn lost(hosted: &Hosted) -> Error {
    let detail = format!("this session does not hold `{}` any more; initialize a new one", hosted.name());
    Error::at(Stage::Busy, "lease_lost", detail).retryable()
}

/// The lease as text; null is nothing, as in every argument that may be left out.
fn text(shown: Option<&Json>) -> Result<Option<&str>, Error> {
    match shown {
        None | Some(Json::Null) => Ok(None),
        Some(Json::String(text)) => Ok(Some(text)),
        Some(_) => Err(Error::refused(vec![Finding {
            kind: "wrong_type",
            pointer: format!("/{LEASE}"),
            detail: format!("`{LEASE}` is the text that the lease was given as"),
            expected: Some("a string".to_owned()),
            ..Finding::default()
        }])),
    }
}

/// Both tools are closed, like every other one.
fn check(verb: Verb, arguments: &JsonObject) -> Result<(), Error> {
    let known: &[&str] = match verb {
        Verb::Acquire => &[],
        Verb::Release => &[LEASE],
    };
    let unknown = arguments.keys().filter(|name| !known.contains(&name.as_str()));
    let findings: Vec<_> = unknown
        .map(|name| Finding {
            kind: "unknown_field",
            pointer: format!("/{}", escape(name)),
            detail: format!("`{name}` is no argument of this tool"),
            known: known.iter().map(|name| (*name).to_owned()).collect(),
            nearest: nearest(name, known.iter().copied()).map(str::to_owned),
            ..Finding::default()
        })
        .collect();
    if findings.is_empty() { Ok(()) } else { Err(Error::refused(findings)) }
}
