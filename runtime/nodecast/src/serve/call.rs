//! `POST /call/{function}`: a body in one of two regimes, and the reply in the same one (`wire.md` 2.4).

use std::sync::Arc;

use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Extension, Path, Request, State};
use axum::response::Response;
use bytes::Bytes;
use http::StatusCode;
use http::request::Parts;

use super::delivery::{Connection, Slot};
use super::edge::Principal;
use super::error::{Failure, call_regime, reply, traceparent};
use super::face::Face;
use super::server::Incoming;
use super::{body, execution, lease};
use crate::Error;
use crate::call::{Caller, Finding, RawArguments, Reply, Stage, escape, nearest, unsaid};
use crate::catalog::Entry;
use crate::wire::{self, Layout, Map, Regime, Value, WireError};

/// Keys of the envelope; everything else in it is an argument.
const INPUTS: &str = "inputs";
const CONFIG: &str = "config";
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
    let Some(regime) = call_regime(&parts.headers) else {
        let detail = "send `application/json` or `application/msgpack`, in UTF-8";
        let failure =
            Failure::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, Stage::SchemaValidation, "unsupported_media_type", detail);
        return failure.in_regime(Regime::Json);
    };
    let Some(function) = function else {
        let detail = "the function's name in the path is not text";
        let failure = Failure::new(StatusCode::NOT_FOUND, Stage::SchemaValidation, "unknown_function", detail);
        return failure.in_regime(regime);
    };
    match call(face, principal, connection, (function, regime), (parts, body)).await {
        Ok(response) => response,
        Err(failure) => failure.in_regime(regime),
    }
}

async fn call(
    face: &Face,
    principal: Principal,
    connection: Option<&Connection>,
    (function, regime): (&str, Regime),
    (parts, body): (&Parts, Body),
) -> Result<Response, Failure> {
    // What cannot run is refused before its body is read.
    face.server.life.admit()?;
    let (hosted, verb) = face.find(function)?;
    let limits = &face.server.options;
    let pass = if verb.is_none() { lease::gate(hosted, &parts.headers, &principal)? } else { None };
    let bytes = body::read(&parts.headers, body, limits.max_body).await?;
    if let Some(verb) = verb {
        without_arguments(decode(&bytes, regime)?)?;
        let slot = Slot::default();
        let outputs = lease::answer(hosted, verb, &parts.headers, &principal, &slot)?;
        let body = [("outputs", Value::from(outputs))].into_iter().collect::<Map>();
        let bytes = encode(Layout::Value(&body.into()), regime, limits.max_reply)?;
        return Ok(slot.bind(reply(regime, StatusCode::OK, bytes), connection.cloned()));
    }
    let _in_flight = match &pass {
        Some(pass) => Some(pass.begin().ok_or_else(|| lease::unknown(hosted))?),
        None => None,
    };
    let batched = hosted.entry(function).is_some_and(|entry| entry.batched.is_some());
    let arguments = decode(&bytes, regime).and_then(|body| arguments(body, batched));
    // Freed before the call, which may hold its arguments for long.
    drop(bytes);
    let incoming = Incoming {
        caller: Caller { face: "http", principal: principal.0, regime },
        events: None,
        asker: None,
        trace: traceparent(&parts.headers),
        // A client that goes away drops this very future.
        cancelled: std::future::pending(),
    };
    let dress = |entry: &Entry, reply: Reply| entry.write(reply, regime, |body| encode(body, regime, limits.max_reply));
    let bytes = face.server.call(hosted, function, arguments, incoming, dress).await?;
    Ok(reply(regime, StatusCode::OK, bytes))
}

fn decode(bytes: &Bytes, regime: Regime) -> Result<Value, Error> {
    if bytes.is_empty() {
        return Ok(Value::Map(Map::new()));
    }
    let decoded = match regime {
        Regime::Json => wire::json::decode(bytes),
        Regime::Msgpack => wire::msgpack::decode_shared(bytes),
    };
    decoded.map_err(|error| Error::refused(vec![error.into()]))
}

fn encode(body: Layout<'_>, regime: Regime, most: usize) -> Result<Bytes, Error> {
    let encoded = match regime {
        Regime::Json => wire::json::encode_layout(body),
        Regime::Msgpack => wire::msgpack::encode_layout(body),
    };
    let bytes = encoded.map_err(unsaid)?;
    if bytes.len() > most {
        let detail = format!("the reply has {} bytes and may have {most}", bytes.len());
        return Err(Error::at(Stage::AdapterExecution, "reply_too_large", detail));
    }
    Ok(bytes.into())
}

/// The body of a call, taken apart.
fn arguments(body: Value, batched: bool) -> Result<RawArguments, Error> {
    let Value::Map(mut body) = body else { return Err(not_a_map("the body", String::new())) };
    if let Some(execution) = body.remove(EXECUTION) {
        execution::check(execution, batched)?;
    }
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
    if let Some((unknown, _)) = named(body, "")?.first() {
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

/// The body of a call whose function takes nothing.
fn without_arguments(body: Value) -> Result<(), Error> {
    let sent = match arguments(body, false)? {
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
    let entries = map.into_iter().map(|(key, value)| {
        if let Value::Text(name) = key {
            return Ok((name, value));
        }
        let error = WireError::new("map_key", "names of arguments are text");
        Err(Error::refused(vec![Finding { pointer: pointer.to_owned(), ..error.into() }]))
    });
    entries.collect()
}

pub(super) fn not_a_map(what: &str, pointer: String) -> Error {
    Error::refused(vec![Finding {
        kind: "not_a_map",
        pointer,
        detail: format!("{what} is not a map"),
        expected: Some("a map".to_owned()),
        ..Finding::default()
    }])
}
