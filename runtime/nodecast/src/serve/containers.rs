//! `/containers/…`: what a nodeset remembers between calls, as a graph framework reads and writes it (`wire.md` 5).
//!
//! What is done to one container is msgpack unless the content type says JSON, since the framework's client sends none;
//! what is done to all of them is JSON.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Extension, Path, Request, State};
use axum::response::Response;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, StatusCode};
use serde_json::json;

use super::codec::{decode, encode};
use super::edge::Principal;
use super::error::{Failure, call_regime, reply};
use super::face::Face;
use super::server::Hosted;
use super::{body, lease};
use crate::Error;
use crate::call::{Finding, StatePlace, escape, is_heavy, nearest, off_the_workers, shown};
use crate::wire::{Layout, Map, Regime, Value};

/// A name in the path.
pub(super) type Segment = Result<Path<String>, PathRejection>;

/// The name; what is no text names nothing.
pub(super) fn segment(segment: Segment) -> String {
    segment.map_or_else(|_| char::REPLACEMENT_CHARACTER.to_string(), |Path(name)| name)
}

/// `POST /containers/{id}/read`.
pub(super) async fn read(
    face: State<Arc<Face>>,
    principal: Extension<Principal>,
    id: Segment,
    request: Request,
) -> Response {
    one(face, principal, id, request, |hosted, container, mut sent, _| {
        let (place, key) = state(hosted, container, &mut sent)?;
        let value = hosted.containers.read(place, key.as_deref())?;
        Ok([("value", Value::clone(&*value))].into_iter().collect())
    })
    .await
}

/// `POST /containers/{id}/write`.
pub(super) async fn write(
    face: State<Arc<Face>>,
    principal: Extension<Principal>,
    id: Segment,
    request: Request,
) -> Response {
    one(face, principal, id, request, |hosted, container, mut sent, regime| {
        let (place, key) = state(hosted, container, &mut sent)?;
        let data = sent.remove("data").ok_or_else(|| missing("data", "what is written"))?;
        hosted.containers.write(place, key.as_deref(), data, regime)?;
        Ok(ok())
    })
    .await
}

/// `POST /containers/{id}/evict`.
pub(super) async fn evict(
    face: State<Arc<Face>>,
    principal: Extension<Principal>,
    id: Segment,
    request: Request,
) -> Response {
    one(face, principal, id, request, |hosted, container, mut sent, _| {
        hosted.containers.evict(container, &needed_key(&mut sent)?);
        Ok(ok())
    })
    .await
}

/// `POST /containers/evict`.
pub(super) async fn evict_everywhere(
    face: State<Arc<Face>>,
    principal: Extension<Principal>,
    request: Request,
) -> Response {
    all(face, principal, request, |face, mut sent| {
        only(&sent, &["key"])?;
        let key = needed_key(&mut sent)?;
        let evicted: usize = face.nodesets.iter().map(|hosted| hosted.containers.evict_everywhere(&key)).sum();
        Ok(json!({ "evicted": evicted, "key": key }))
    })
    .await
}

/// `POST /containers/signal`.
pub(super) async fn signal(face: State<Arc<Face>>, principal: Extension<Principal>, request: Request) -> Response {
    all(face, principal, request, |face, mut sent| {
        only(&sent, &["signal", "key"])?;
        let signal = text(&mut sent, "signal")?;
        let key = optional_text(&mut sent, "key")?;
        let reset: usize = face.nodesets.iter().map(|hosted| hosted.containers.signal(&signal, key.as_deref())).sum();
        Ok(json!({ "ok": true, "reset": reset }))
    })
    .await
}

/// One container of one nodeset.
async fn one(
    State(face): State<Arc<Face>>,
    Extension(principal): Extension<Principal>,
    id: Segment,
    request: Request,
    act: impl FnOnce(&Hosted, usize, Map, Regime) -> Result<Map, Failure> + Send + 'static,
) -> Response {
    let (regime, id) = (regime(request.headers()), segment(id));
    let acted = async {
        let (parts, body) = request.into_parts();
        let let_in = || -> Result<_, Failure> {
            face.server.life.admit()?;
            let found = face.nodesets.iter().find_map(|hosted| Some((hosted, hosted.containers.find(&id)?)));
            let (hosted, container) = found.ok_or_else(|| unknown(&face, &id))?;
            Ok((hosted, container, lease::gate(hosted, &parts.headers, &principal)?))
        };
        let ((hosted, container, pass), body) = body::kept_if(let_in(), &parts.headers, body).await?;
        let options = &face.server.options;
        let bytes = body::read(&face.server.life, &parts.headers, body, ("--max-body", options.max_body)).await?;
        let (_running, _in_flight) = (face.server.life.enter()?, lease::begin(hosted, pass)?);
        let sent = decode(bytes, regime, options).await.map_err(|error| read_as(regime, &parts.headers, error))?;
        let (is_much, hosted) = (is_heavy(sent.iter().map(|(_, value)| value), regime), hosted.clone());
        let act = move || act(&hosted, container, sent, regime);
        let answer = Value::from(if is_much { off_the_workers(act).await?? } else { act()? });
        if is_heavy([&answer], regime) {
            let server = face.server.clone();
            let write = move || encode(Layout::Value(&answer), regime, &server.options);
            return Ok(off_the_workers(write).await??);
        }
        Ok::<_, Failure>(encode(Layout::Value(&answer), regime, options)?)
    };
    match acted.await {
        Ok(bytes) => reply(regime, StatusCode::OK, bytes),
        Err(failure) => failure.in_regime(regime),
    }
}

/// All containers of all nodesets.
async fn all(
    State(face): State<Arc<Face>>,
    Extension(principal): Extension<Principal>,
    request: Request,
    act: impl FnOnce(&Face, Map) -> Result<serde_json::Value, Failure>,
) -> Response {
    let acted = async {
        let (parts, body) = request.into_parts();
        let let_in = || -> Result<Vec<_>, Failure> {
            face.server.life.admit()?;
            in_json(&parts.headers, face.server.options.reference)?;
            face.nodesets.iter().map(|hosted| lease::gate(hosted, &parts.headers, &principal)).collect()
        };
        let (passes, body) = body::kept_if(let_in(), &parts.headers, body).await?;
        let cap = ("--max-body", face.server.options.max_body);
        let bytes = body::read(&face.server.life, &parts.headers, body, cap).await?;
        let _running = face.server.life.enter()?;
        let in_flight = face.nodesets.iter().zip(passes).map(|(hosted, pass)| lease::begin(hosted, pass));
        let _in_flight = in_flight.collect::<Result<Vec<_>, _>>()?;
        let sent = decode(bytes, Regime::Json, &face.server.options).await?;
        act(&face, sent)
    };
    match acted.await {
        Ok(answer) => reply(Regime::Json, StatusCode::OK, answer.to_string()),
        Err(failure) => failure.in_regime(Regime::Json),
    }
}

/// Refuses what says that it is no JSON, where nothing else is read.
pub(super) fn in_json(headers: &HeaderMap, reference: bool) -> Result<(), Failure> {
    if reference || call_regime(headers) == Some(Regime::Json) {
        return Ok(());
    }
    Err(Failure::unsupported_media_type("send `application/json`, in UTF-8"))
}

/// The regime in which a request of this path is answered, also where it never gets to its route.
pub(super) fn regime_of(path: &str, headers: &HeaderMap) -> Regime {
    let mut segments = path.trim_end_matches('/').rsplit('/');
    match (segments.next(), segments.next(), segments.next()) {
        (Some("read" | "write" | "evict"), Some(_), Some("containers")) => regime(headers),
        _ => call_regime(headers).unwrap_or(Regime::Json),
    }
}

/// JSON where the content type says so; msgpack needs no word.
fn regime(headers: &HeaderMap) -> Regime {
    match call_regime(headers) {
        Some(Regime::Json) if headers.contains_key(CONTENT_TYPE) => Regime::Json,
        _ => Regime::Msgpack,
    }
}

/// Says why a body is read as msgpack that nobody called so, since what is wrong with it then says nothing.
fn read_as(regime: Regime, headers: &HeaderMap, error: Error) -> Error {
    let is_named = headers.contains_key(CONTENT_TYPE) && call_regime(headers) == Some(Regime::Msgpack);
    let Some(finding) = error.findings().first().filter(|_| regime == Regime::Msgpack && !is_named) else {
        return error;
    };
    let why = match headers.get(CONTENT_TYPE) {
        Some(sent) => format!("`Content-Type` is `{}`", shown(&String::from_utf8_lossy(sent.as_bytes()))),
        None => "there is no `Content-Type`".to_owned(),
    };
    let detail =
        format!("{}; the body is read as msgpack, since {why}; send `application/json`, in UTF-8", finding.detail);
    Error::refused(vec![Finding { detail, ..finding.clone() }])
}

/// Refuses names that mean nothing to what is done to all containers: a `key` that is misspelt would be all keys.
fn only(sent: &Map, known: &[&str]) -> Result<(), Failure> {
    // Graph frameworks send their execution with whatever they do to a container.
    let names = sent.iter().filter_map(|(name, _)| name.as_text());
    let wrong = names.filter(|name| !known.contains(name) && *name != "execution_id");
    let findings: Vec<Finding> = wrong.map(|name| unknown_name(name, known)).collect();
    if findings.is_empty() { Ok(()) } else { Err(Error::refused(findings).into()) }
}

fn unknown_name(name: &str, known: &[&str]) -> Finding {
    let quoted: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
    let nearest = nearest(name, known.iter().copied()).map(str::to_owned);
    let way_out = match &nearest {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => format!("known are {}", quoted.join(", ")),
    };
    let name = &*shown(name);
    Finding {
        kind: "unknown_field",
        pointer: format!("/{}", escape(name)),
        detail: format!("`{name}` is not known here; {way_out}"),
        known: known.iter().copied().map(str::to_owned).collect(),
        nearest,
        ..Finding::default()
    }
}

fn ok() -> Map {
    [("ok", Value::from(true))].into_iter().collect()
}

/// The state that is meant, and the key in it.
fn state(hosted: &Hosted, container: usize, sent: &mut Map) -> Result<(StatePlace, Option<String>), Failure> {
    Ok((hosted.containers.state(container, &text(sent, "name")?)?, optional_text(sent, "key")?))
}

fn text(sent: &mut Map, name: &str) -> Result<String, Failure> {
    optional_text(sent, name)?.ok_or_else(|| missing(name, "text").into())
}

/// What is left out, or null; members that are not asked for are nobody's mistake.
fn optional_text(sent: &mut Map, name: &str) -> Result<Option<String>, Failure> {
    match sent.remove(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Text(text)) => Ok(Some(text)),
        Some(other) => Err(Error::refused(vec![Finding {
            kind: "wrong_type",
            pointer: format!("/{name}"),
            detail: format!("`/{name}` must be text, got {}", other.describe()),
            expected: Some("text".to_owned()),
            ..Finding::default()
        }])
        .into()),
    }
}

/// Without it, nothing would be forgotten and nobody would know.
fn needed_key(sent: &mut Map) -> Result<String, Failure> {
    optional_text(sent, "key")?
        .ok_or_else(|| Failure::from(missing("key", "text")).with_status(StatusCode::BAD_REQUEST))
}

fn missing(name: &str, expected: &str) -> Error {
    Error::refused(vec![Finding {
        kind: "missing_field",
        pointer: format!("/{name}"),
        detail: format!("`{name}` is missing; send {expected}"),
        expected: Some(expected.to_owned()),
        ..Finding::default()
    }])
}

fn unknown(face: &Face, id: &str) -> Failure {
    let known: Vec<String> =
        face.nodesets.iter().flat_map(|hosted| hosted.containers.ids()).map(str::to_owned).collect();
    let nearest = nearest(id, known.iter().map(String::as_str)).map(str::to_owned);
    let way_out = nearest.as_ref().map(|nearest| format!("; did you mean `{nearest}`?")).unwrap_or_default();
    Error::refused(vec![Finding {
        kind: crate::call::NOT_FOUND,
        detail: format!("there is no container `{id}`{way_out}"),
        known,
        nearest,
        ..Finding::default()
    }])
    .into()
}
