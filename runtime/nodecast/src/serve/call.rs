//! `POST /call/{function}`: a body in one of two regimes, and the reply in the same one (`wire.md` 2.4).

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Extension, Path, Request, State};
use axum::response::Response;
use bytes::Bytes;
use http::StatusCode;

use super::body;
use super::edge::Principal;
use super::error::{Failure, call_regime, reply};
use super::face::Face;
use super::server::Incoming;
use crate::Error;
use crate::call::{Caller, Finding, RawArguments, Reply, Stage, escape};
use crate::catalog::Entry;
use crate::wire::{self, Map, Regime, Value, WireError};

/// Keys of the envelope; everything else in it is an argument.
const INPUTS: &str = "inputs";
const CONFIG: &str = "config";
const EXECUTION: &str = "_exec";

pub(super) async fn handle(
    State(face): State<Arc<Face>>,
    Extension(principal): Extension<Principal>,
    function: Result<Path<String>, PathRejection>,
    request: Request,
) -> Response {
    let Some(regime) = call_regime(request.headers()) else {
        let detail = "send `application/json` or `application/msgpack`, in UTF-8";
        let failure =
            Failure::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, Stage::SchemaValidation, "unsupported_media_type", detail);
        return failure.in_regime(Regime::Json);
    };
    let Ok(Path(function)) = function else {
        let detail = "the function's name in the path is not text";
        let failure = Failure::new(StatusCode::BAD_REQUEST, Stage::SchemaValidation, "not_found", detail);
        return failure.in_regime(regime);
    };
    match call(&face, principal, &function, regime, request).await {
        Ok(bytes) => reply(regime, StatusCode::OK, bytes),
        Err(failure) => failure.in_regime(regime),
    }
}

async fn call(
    face: &Face,
    principal: Principal,
    function: &str,
    regime: Regime,
    request: Request,
) -> Result<Bytes, Failure> {
    // What cannot run is refused before its body is read.
    face.server.life.admit()?;
    let hosted = face.find(function)?;
    let limits = &face.server.options;
    let (parts, body) = request.into_parts();
    let bytes = body::read(&parts.headers, body, limits.max_body).await?;
    let envelope = Envelope::parse(decode(&bytes, regime)?)?;
    // Freed before the call, which may hold its arguments for long.
    drop(bytes);
    let incoming = Incoming {
        caller: Caller { face: "http", principal: principal.0, regime },
        events: None,
        // A client that goes away drops this very future.
        cancelled: std::future::pending(),
    };
    let config = envelope.config_names;
    let reply = face.server.call(hosted, function, envelope.arguments, incoming).await;
    let reply = reply.map_err(|error| under_config(error, &config))?;
    let (_, entry) = hosted
        .catalog
        .entry(function)
        .ok_or_else(|| Error::at(Stage::InternalRuntime, "no_entry", "the entry went while it ran"))?;
    let bytes = encode(entry, reply, regime)?;
    if bytes.len() > limits.max_reply {
        let detail = format!("the reply has {} bytes and may have {}", bytes.len(), limits.max_reply);
        return Err(Error::at(Stage::AdapterExecution, "reply_too_large", detail).into());
    }
    Ok(bytes)
}

fn decode(bytes: &Bytes, regime: Regime) -> Result<Value, Failure> {
    if bytes.is_empty() {
        return Ok(Value::Map(Map::new()));
    }
    let decoded = match regime {
        Regime::Json => wire::json::decode(bytes),
        Regime::Msgpack => wire::msgpack::decode_shared(bytes),
    };
    decoded.map_err(|error| Error::refused(vec![error.into()]).into())
}

fn encode(entry: &Entry, reply: Reply, regime: Regime) -> Result<Bytes, Failure> {
    let mut outputs = Map::with_capacity(entry.outputs.len());
    for (port, value) in entry.outputs.iter().zip(reply.into_values()) {
        let value = match value {
            Value::List(items) if regime == Regime::Json && &*port.wire_type == "LIST[IMAGE]" => as_arrays(items)?,
            value => value,
        };
        outputs.push(&*port.name, value);
    }
    let mut body = Map::with_capacity(1);
    body.push("outputs", Value::Map(outputs));
    let body = Value::Map(body);
    let encoded = match regime {
        Regime::Json => wire::json::encode(&body),
        Regime::Msgpack => wire::msgpack::encode(&body),
    };
    // What a node returned cannot be said in this regime: the node's failure, not the caller's.
    encoded
        .map(Bytes::from)
        .map_err(|error| Error::refused(vec![error.into()]).stage_of(Stage::AdapterExecution).into())
}

/// In a list, clients of `/call` read pictures as marked arrays alone (`wire.md` 4.3).
fn as_arrays(items: Vec<Value>) -> Result<Value, Failure> {
    let arrays = items.into_iter().map(|item| match item {
        Value::Image(image) => image.to_array().map(Value::Array),
        item => Ok(item),
    });
    let arrays: Result<Value, WireError> = arrays.collect::<Result<Vec<_>, _>>().map(Value::List);
    arrays.map_err(|error| Error::refused(vec![error.into()]).stage_of(Stage::AdapterExecution).into())
}

/// The body of a call, taken apart.
#[derive(Debug)]
struct Envelope {
    arguments: RawArguments,
    /// Names that stood under `config` beside flat arguments, so that a refusal can point there.
    config_names: Vec<String>,
}

impl Envelope {
    fn parse(body: Value) -> Result<Self, Error> {
        let Value::Map(mut body) = body else { return Err(not_a_map("the body", String::new())) };
        if let Some(execution) = body.remove(EXECUTION) {
            check_execution(execution)?;
        }
        let config = match body.remove(CONFIG) {
            Some(Value::Map(config)) => Some(named(config, "/config")?),
            Some(_) => return Err(not_a_map("`config`", format!("/{CONFIG}"))),
            None => None,
        };
        let Some(inputs) = body.remove(INPUTS) else {
            // The flat form: the whole map is the inputs.
            let mut flat = named(body, "")?;
            let config = config.unwrap_or_default();
            let config_names = config.iter().map(|(name, _)| name.clone()).collect();
            if let Some((twice, _)) = config.iter().find(|(name, _)| flat.iter().any(|(other, _)| other == name)) {
                return Err(Error::refused(vec![Finding {
                    kind: "duplicate_key",
                    pointer: format!("/{CONFIG}/{}", escape(twice)),
                    detail: format!("`{twice}` stands both at the root and under `config`"),
                    ..Finding::default()
                }]));
            }
            flat.extend(config);
            return Ok(Self { arguments: RawArguments::Flat(flat), config_names });
        };
        let Value::Map(inputs) = inputs else { return Err(not_a_map("`inputs`", format!("/{INPUTS}"))) };
        if let Some((unknown, _)) = named(body, "")?.first() {
            return Err(Error::refused(vec![Finding {
                kind: "unknown_field",
                pointer: format!("/{}", escape(unknown)),
                detail: format!("`{unknown}` is no part of a call; arguments stand under `inputs` and `config`"),
                known: [INPUTS, CONFIG, EXECUTION].map(str::to_owned).into(),
                ..Finding::default()
            }]));
        }
        let inputs = named(inputs, "/inputs")?;
        Ok(Self {
            arguments: RawArguments::Split { inputs, config: config.unwrap_or_default() },
            config_names: Vec::new(),
        })
    }
}

/// The execution context of a graph; only what cannot be granted is looked at.
fn check_execution(execution: Value) -> Result<(), Error> {
    let Value::Map(execution) = execution else { return Err(not_a_map("`_exec`", format!("/{EXECUTION}"))) };
    match execution.get("grants") {
        Some(Value::List(grants)) if !grants.is_empty() => {
            let detail = "the call grants containers, and this host knows no executor that has them";
            Err(Error::at(Stage::InternalRuntime, "grants_unavailable", detail))
        }
        _ => Ok(()),
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

fn not_a_map(what: &str, pointer: String) -> Error {
    Error::refused(vec![Finding {
        kind: "not_a_map",
        pointer,
        detail: format!("{what} is not a map"),
        expected: Some("a map".to_owned()),
        ..Finding::default()
    }])
}

/// Points the findings about arguments that stood under `config` there.
fn under_config(error: Error, config: &[String]) -> Error {
    if config.is_empty() || error.stage() != Stage::SchemaValidation {
        return error;
    }
    let moved = error.findings().iter().cloned().map(|mut finding| {
        let first = finding.pointer.get(1..).and_then(|rest| rest.split('/').next());
        if first.is_some_and(|first| config.iter().any(|name| escape(name) == first)) {
            finding.pointer.insert_str(0, "/config");
        }
        finding
    });
    Error::refused(moved.collect())
}
