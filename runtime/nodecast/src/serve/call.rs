//! `POST /call/{function}`: a body in one of two regimes, and the reply in the same one (`wire.md` 2.4).

use std::sync::Arc;

use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Extension, Path, Request, State};
use axum::response::Response;
use http::StatusCode;
use http::request::Parts;

use super::codec::{decode, encode, not_a_map};
use super::delivery::{Connection, Slot};
use super::edge::Principal;
use super::error::{Failure, call_regime, reply, traceparent};
use super::execution::Lender;
use super::face::Face;
use super::lease::Verb;
use super::server::{Hosted, Incoming};
use super::{body, execution, lease};
use crate::Error;
use crate::call::{Caller, Dropped, Finding, RawArguments, Reply, Stage, escape, nearest};
use crate::catalog::Entry;
use crate::session::Pass;
use crate::wire::{Layout, Map, Regime, Value, WireError};

/// Keys of the envelope; everything else in it is an argument.
const INPUTS: &str = "inputs";
const CONFIG: &str = "config";
/// What this face is called where calls are counted and told of.
const FACE: &str = "http";
pub(super) const EXECUTION: &str = "_exec";

pub(super) async fn handle(
    State(face): State<Arc<Face>>,
    Extension(principal): Extension<Principal>,
    function: Result<Path<String>, PathRejection>,
    request: Request,
) -> Response {
    let (parts, body) = request.into_parts();
    let function = function.as_ref().ok().map(|Path(function)| function.as_str());
    answer(&face, principal, parts.extensions.get::<Connection>(), function, (&parts, body)).await
}

/// Answers a call; of no function, where what its path names is not text.
pub(super) async fn answer(
    face: &Face,
    principal: Principal,
    connection: Option<&Connection>,
    function: Option<&str>,
    (parts, body): (&Parts, Body),
) -> Response {
    let spoken = call_regime(&parts.headers);
    // Any other content type is read as JSON where the reference does so.
    let Some(regime) = spoken.or_else(|| face.server.options.reference.then_some(Regime::Json)) else {
        let failure = Failure::unsupported_media_type("send `application/json` or `application/msgpack`, in UTF-8");
        face.server.tell(function.unwrap_or_default(), FACE, failure.error(), None);
        Box::pin(body::leave(&parts.headers, body)).await;
        return failure.in_regime(Regime::Json);
    };
    let Some(function) = function else {
        let detail = "the function's name in the path is not text";
        let failure = Failure::new(StatusCode::NOT_FOUND, Stage::SchemaValidation, "unknown_function", detail);
        return failure.in_regime(regime);
    };
    match call(face, principal, connection, (function, regime), (parts, body)).await {
        Ok(response) => response,
        Err(Ended::Before(failure)) => {
            face.server.tell(function, FACE, failure.error(), None);
            failure.in_regime(regime)
        }
        Err(Ended::Called(error)) => Failure::from(error).in_regime(regime),
    }
}

/// How a call failed: whoever watches calls knows of those that were let in.
enum Ended {
    Before(Failure),
    Called(Error),
}

impl From<Failure> for Ended {
    fn from(failure: Failure) -> Self {
        Self::Before(failure)
    }
}

impl From<Error> for Ended {
    fn from(error: Error) -> Self {
        Self::Before(error.into())
    }
}

async fn call(
    face: &Face,
    principal: Principal,
    connection: Option<&Connection>,
    (function, regime): (&str, Regime),
    (parts, body): (&Parts, Body),
) -> Result<Response, Ended> {
    // What cannot run is refused before its body is read.
    let let_in = let_in(face, &principal, function, parts);
    let ((hosted, verb, pass), body) = body::kept_if(let_in, &parts.headers, body).await?;
    let limits = &face.server.options;
    let cap = ("--max-body", limits.max_body);
    let bytes = body::read(&face.server.life, &parts.headers, body, cap).await?;
    if let Some(verb) = verb {
        without_arguments(arguments(decode(bytes, regime, limits).await?, face.dropped.as_ref())?)?;
        let slot = Slot::default();
        let outputs = lease::answer(hosted, verb, &parts.headers, &principal, &slot)?;
        let body = [("outputs", Value::from(outputs))].into_iter().collect::<Map>();
        let bytes = encode(Layout::Value(&body.into()), regime, limits)?;
        return Ok(slot.bind(reply(regime, StatusCode::OK, bytes), connection.cloned()));
    }
    let _in_flight = lease::begin(hosted, pass)?;
    let body = decode(bytes, regime, limits).await;
    let lender = Lender {
        own: &hosted.containers,
        broker: face.server.broker.as_ref(),
        batched: hosted.entry(function).is_some_and(|entry| entry.batched.is_some()),
        dropped: face.dropped.as_ref(),
    };
    let mut execution = None;
    let arguments = body.and_then(|mut body| {
        if let Some(sent) = body.remove(EXECUTION) {
            execution = execution::named(&sent);
            execution = lender.read(sent)?;
        }
        arguments(body, face.dropped.as_ref())
    });
    let incoming = Incoming {
        caller: Caller { face: FACE, principal: principal.0, regime },
        events: None,
        asker: None,
        trace: traceparent(&parts.headers),
        execution,
        // A client that goes away drops this very future.
        cancelled: std::future::pending(),
    };
    let (server, containers) = (face.server.clone(), hosted.containers.clone());
    let dress = move |entry: &Entry, reply: Reply| {
        let preview = (!containers.is_empty() && !entry.fires()).then(|| containers.preview());
        entry.write(reply, regime, preview.as_ref(), |body| encode(body, regime, &server.options))
    };
    let bytes = face.server.call(hosted, function, arguments, incoming, dress).await.map_err(Ended::Called)?;
    Ok(reply(regime, StatusCode::OK, bytes))
}

/// What a call needs before its body is read: its nodeset, the verb of a function of the runtime's own, the lease.
fn let_in<'f>(
    face: &'f Face,
    principal: &Principal,
    function: &str,
    parts: &Parts,
) -> Result<(&'f Hosted, Option<Verb>, Option<Pass>), Failure> {
    face.server.life.admit()?;
    let (hosted, verb) = face.find(function)?;
    let pass = if verb.is_none() { lease::gate(hosted, &parts.headers, principal)? } else { None };
    Ok((hosted, verb, pass))
}

/// The body of a call, taken apart; what is no part of one goes to `dropped`, where the reference takes no note of it.
fn arguments(mut body: Map, dropped: Option<&Dropped>) -> Result<RawArguments, Error> {
    let config = match body.remove(CONFIG) {
        Some(Value::Map(config)) => named(config, "/config")?,
        Some(_) => return Err(not_a_map("`config`", format!("/{CONFIG}"))),
        None => Vec::new(),
    };
    let Some(inputs) = body.remove(INPUTS) else {
        // The flat form: the whole map is the inputs.
        return Ok(RawArguments::Beside { inputs: named(body, "")?, config });
    };
    let Value::Map(inputs) = inputs else { return Err(not_a_map("`inputs`", format!("/{INPUTS}"))) };
    let beside = named(body, "")?;
    if let Some(dropped) = dropped {
        for (name, _) in &beside {
            dropped.note("", name);
        }
    } else if let Some((unknown, _)) = beside.first() {
        let known = [INPUTS, CONFIG, EXECUTION];
        return Err(Error::refused(vec![Finding {
            kind: "unknown_field",
            pointer: format!("/{}", escape(unknown)),
            detail: format!("`{unknown}` is no part of a call; arguments stand under `inputs` and `config`"),
            known: known.map(str::to_owned).into(),
            nearest: nearest(unknown, known).map(str::to_owned),
            ..Finding::default()
        }]));
    }
    Ok(RawArguments::Split { inputs: named(inputs, "/inputs")?, config })
}

/// Refuses arguments of a function that takes none.
fn without_arguments(arguments: RawArguments) -> Result<(), Error> {
    let sent = match arguments {
        RawArguments::Flat(sent) => sent,
        RawArguments::Beside { inputs, config } | RawArguments::Split { inputs, config } => [inputs, config].concat(),
        RawArguments::Spelled(sent) => sent.into_iter().map(|(name, text)| (name, text.into())).collect(),
    };
    match sent.into_iter().next() {
        None => Ok(()),
        Some((name, _)) => Err(Error::refused(vec![Finding {
            kind: "unknown_field",
            pointer: format!("/{}", escape(&name)),
            detail: format!("`{name}` is no argument here; this function takes none"),
            ..Finding::default()
        }])),
    }
}

fn named(map: Map, pointer: &str) -> Result<Vec<(String, Value)>, Error> {
    // Collected where they lie, they would be moved once more: the memory of the map is none of a list of these.
    let mut named = Vec::with_capacity(map.len());
    for (key, value) in map {
        let Value::Text(name) = key else {
            let error = WireError::new("map_key", "names of arguments are text");
            return Err(Error::refused(vec![Finding { pointer: pointer.to_owned(), ..error.into() }]));
        };
        named.push((name, value));
    }
    Ok(named)
}
