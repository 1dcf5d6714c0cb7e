//! The lease of an exclusive nodeset, in the words of every face, and as `/call` takes it where it is gated too
//! (`mcp.md` 4, `wire.md` 2.1).

use http::{HeaderMap, StatusCode};
use serde_json::{Value as Json, json};

use super::delivery::Slot;
use super::edge::Principal;
use super::error::Failure;
use super::server::Hosted;
use crate::Error;
use crate::call::Stage;
use crate::catalog::LeaseNames;
use crate::contract::{IDLE_TIMEOUT_S, LEASE, RELEASED};
use crate::decl::Exclusivity;
use crate::session::{Busy, Handle, Holder, InFlight, Key, Pass, SharedLeases};

/// The header that carries the lease of a gated `/call`.
const HEADER: &str = "nodecast-lease";

/// What the runtime itself answers under a name of an exclusive nodeset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verb {
    /// Takes the lease.
    Acquire,
    /// Gives it back.
    Release,
}

impl Verb {
    /// What a name means to a nodeset.
    pub(super) fn of(names: &LeaseNames, name: &str) -> Option<Self> {
        match name {
            _ if name == names.acquire => Some(Self::Acquire),
            _ if name == names.release => Some(Self::Release),
            _ => None,
        }
    }
}

/// Takes the lease for whoever reads the answer, and lets `slot` take it back where nobody does.
pub(super) fn acquire(hosted: &Hosted, leases: &SharedLeases, holder: Holder, slot: Option<&Slot>) -> Taken {
    let handle = match fresh() {
        Ok(handle) => handle,
        Err(error) => return Taken::Not(error, None),
    };
    match leases.acquire(holder, handle) {
        Ok(pass) => {
            if let Some(slot) = slot {
                slot.put(move || {
                    pass.release_unused();
                });
            }
            Taken::Now(acquired(leases, &handle.to_string()))
        }
        Err(busy) => Taken::Not(held(hosted, &busy), Some(data(&busy))),
    }
}

/// What came of asking for the lease.
pub(super) enum Taken {
    /// It is the caller's: the answer.
    Now(Json),
    /// It is not, and what is known of whoever has it.
    Not(Error, Option<Json>),
}

/// The answer of `acquire`.
pub(super) fn acquired(leases: &SharedLeases, lease: &str) -> Json {
    let limit = leases.idle_limit();
    // Whole seconds are written as such.
    let limit = if limit.subsec_nanos() == 0 { json!(limit.as_secs()) } else { json!(limit.as_secs_f64()) };
    json!({ LEASE: lease, IDLE_TIMEOUT_S: limit })
}

/// The answer of `release`.
pub(super) fn released(is: bool) -> Json {
    json!({ RELEASED: is })
}

/// The holding that a lease opens to this principal; what to do where it opens none.
pub(super) fn opened(
    hosted: &Hosted,
    leases: &SharedLeases,
    lease: Option<&str>,
    principal: Option<&str>,
) -> Result<Pass, Error> {
    let Some(lease) = lease else { return Err(needed(hosted, "")) };
    let handle = lease.parse().ok().map(Key::Lease);
    handle.and_then(|key| leases.admit(&key, principal)).ok_or_else(|| unknown(hosted))
}

/// The type of the error for a call without a lease.
const NEEDED: &str = "lease_needed";

/// What is known of whoever holds the nodeset, for a call that failed since it showed no lease.
pub(super) fn holder(hosted: &Hosted, error: &Error) -> Option<Json> {
    let leases = hosted.lease.as_ref().filter(|_| error.kind() == NEEDED && error.stage() == Stage::Busy)?;
    leases.busy().as_ref().map(data)
}

/// A call came without a lease; `how` it is sent, where that is not said by its schema.
fn needed(hosted: &Hosted, how: &str) -> Error {
    // Whoever has lost its own lease reads here that it is taken.
    let held = hosted.lease.as_ref().and_then(SharedLeases::busy);
    let held = held.map(|busy| format!("; {} holds it now", busy.held_by)).unwrap_or_default();
    let detail = format!(
        "`{}` serves one client at a time: call {} first, and pass the `{LEASE}` that it gives with every call{how}{held}",
        hosted.name(),
        acquire_name(hosted)
    );
    Error::at(Stage::Busy, NEEDED, detail)
}

/// A call came with a lease that is none, or not the caller's, or no longer.
pub(super) fn unknown(hosted: &Hosted) -> Error {
    let detail = format!(
        "there is no such lease of `{}`: it was given back, or idled too long; call {} for a new one",
        hosted.name(),
        acquire_name(hosted)
    );
    Error::at(Stage::Busy, "lease_unknown", detail)
}

fn acquire_name(hosted: &Hosted) -> String {
    hosted.catalog.lease_names().map_or_else(|| "`acquire`".to_owned(), |names| format!("`{}`", names.acquire))
}

/// Another client holds the nodeset.
fn held(hosted: &Hosted, busy: &Busy) -> Error {
    Error::at(Stage::Busy, "lease_held", sentence(hosted.name(), busy)).retry_after(busy.retry_after_s())
}

/// The caller holds the nodeset itself, and has nothing to wait for.
fn own(hosted: &Hosted) -> Error {
    let release = hosted.catalog.lease_names().map_or_else(|| "release".to_owned(), |names| names.release.to_string());
    let detail = format!(
        "`{}` is held by the very lease that was sent: go on with it, or call `{release}` to give it back",
        hosted.name()
    );
    Error::at(Stage::Busy, "lease_held", detail)
}

/// The sentence for whoever waits.
pub(super) fn sentence(nodeset: &str, busy: &Busy) -> String {
    format!(
        "`{nodeset}` serves one client at a time and is held by {}; try again when it has been given back",
        busy.held_by
    )
}

/// The same for programs.
pub(super) fn data(busy: &Busy) -> Json {
    let millis = |duration: std::time::Duration| u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
    json!({
        "reason": "mcp_exclusive",
        "heldBy": busy.held_by,
        "heldForMs": millis(busy.held_for),
        "freesInMsIfIdle": busy.frees_in_if_idle.map(millis),
    })
}

fn fresh() -> Result<Handle, Error> {
    let mut bits = [0; 16];
    getrandom::fill(&mut bits).map_err(|error| {
        Error::at(Stage::InternalRuntime, "no_random_bits", "the system gives no random bits").because(error)
    })?;
    Ok(Handle::new(bits))
}

/// Lets a call of `/call` pass, where the nodeset gates it: whoever shows the lease, and everybody where it does not.
pub(super) fn gate(hosted: &Hosted, headers: &HeaderMap, principal: &Principal) -> Result<Option<Pass>, Failure> {
    match (&hosted.lease, hosted.catalog.exclusivity) {
        (Some(leases), Exclusivity::All) => {
            let opened = match shown(headers)? {
                Some(shown) => opened(hosted, leases, Some(shown), principal.0.as_deref()),
                None => Err(needed(hosted, ", in the header Nodecast-Lease")),
            };
            // What it lacks matters once nobody has it; until then it waits, whatever it shows.
            Ok(Some(opened.map_err(|lacking| leases.busy().map_or(lacking, |busy| held(hosted, &busy)))?))
        }
        (Some(_), Exclusivity::Open | Exclusivity::Mcp) | (None, _) => Ok(None),
    }
}

/// A call of `/call`, or of what is gated with it, begins: it is no idle time of the lease.
pub(super) fn begin(hosted: &Hosted, pass: Option<Pass>) -> Result<Option<InFlight>, Error> {
    pass.map(|pass| pass.begin().ok_or_else(|| unknown(hosted))).transpose()
}

/// Takes the lease, or gives it back, for a caller of `/call`: the outputs of the reply.
pub(super) fn answer(
    hosted: &Hosted,
    verb: Verb,
    headers: &HeaderMap,
    principal: &Principal,
    slot: &Slot,
) -> Result<Json, Failure> {
    // Names are found where there is a lease alone.
    let Some(leases) = &hosted.lease else { return Err(unknown(hosted).into()) };
    match verb {
        Verb::Acquire => {
            let shown = shown(headers)?;
            match acquire(hosted, leases, Holder::new(principal.0.clone(), "a client of /call"), Some(slot)) {
                Taken::Now(answer) => Ok(answer),
                Taken::Not(..) if shown.is_some() && opened(hosted, leases, shown, principal.0.as_deref()).is_ok() => {
                    Err(own(hosted).into())
                }
                Taken::Not(error, _) => Err(error.into()),
            }
        }
        Verb::Release => Ok(released(opened(hosted, leases, shown(headers)?, principal.0.as_deref())?.release())),
    }
}

/// The lease in the header.
fn shown(headers: &HeaderMap) -> Result<Option<&str>, Failure> {
    let mut sent = headers.get_all(HEADER).iter();
    match (sent.next(), sent.next()) {
        (None, _) => Ok(None),
        // What is no text is no lease.
        (Some(value), None) => Ok(Some(value.to_str().unwrap_or_default())),
        (Some(_), Some(_)) => {
            let detail = "the request has more than one header `Nodecast-Lease`; send one";
            Err(Failure::new(StatusCode::BAD_REQUEST, Stage::SchemaValidation, "duplicate_header", detail))
        }
    }
}
