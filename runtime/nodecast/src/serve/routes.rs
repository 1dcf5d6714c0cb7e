//! The routes of a host (`wire.md` 2).

use std::sync::Arc;

use axum::Router;
use axum::extract::{Extension, Request, State};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, any, get, post};
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, IF_NONE_MATCH, RETRY_AFTER};
use http::{HeaderMap, HeaderValue, StatusCode};

use super::edge::{self, Edge, Principal};
use super::error::{Failure, reply};
use super::face::Face;
use super::lifecycle::Phase;
use super::server::{Document, Hosted};
use super::{body, call, containers, mcp, metrics, panel, plain};
use crate::Error;
use crate::call::{Finding, Stage, nearest};
use crate::wire::Regime;

/// The routes of one base path, in the order in which a refusal names them.
const ROUTES: [&str; 18] = [
    "/health",
    "/metrics",
    "/manifest",
    "/contract",
    "/openapi.json",
    "/docs",
    "/call/{function}",
    "/containers/{id}/read",
    "/containers/{id}/write",
    "/containers/{id}/evict",
    "/containers/evict",
    "/containers/signal",
    "/env-panel/info",
    "/env-panel/state",
    "/env-panel/options/{field}",
    "/env-panel/field/{field}",
    "/env-panel/action/{action}",
    "/mcp",
];

/// The page that calls nodes by hand. It is the same for every host: what it shows it asks for.
const PAGE: &str = include_str!("docs.html");

/// Nothing of it comes from elsewhere, and nobody frames it.
const PAGE_POLICY: &str = "default-src 'none'; connect-src 'self'; img-src data: blob:; style-src 'unsafe-inline'; \
                           script-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'";

/// The router of a host: the face at the root, and under their names the faces of several nodesets.
pub(super) fn router(root: Arc<Face>, named: Vec<(String, Arc<Face>)>, edge: Arc<Edge>) -> Router {
    let reference = root.server.options.reference;
    let mut known = paths("", &root);
    let mut router = base("", root);
    for (name, face) in named {
        let prefix = format!("/{name}");
        known.extend(paths(&prefix, &face));
        router = router.merge(base(&prefix, face));
    }
    let known = Arc::<[String]>::from(known);
    let router = router
        .fallback(move |request: Request| not_found(known, request))
        .method_not_allowed_fallback(wrong_method)
        .layer(middleware::from_fn_with_state(edge, edge::guard));
    if reference { router.layer(middleware::from_fn(plain::failures)) } else { router }
}

/// The routes of a face; those of a panel only where there is one.
fn paths(prefix: &str, face: &Face) -> Vec<String> {
    ROUTES.into_iter().filter(|path| is_there(path, face)).map(|path| format!("{prefix}{path}")).collect()
}

fn is_there(path: &str, face: &Face) -> bool {
    !path.starts_with("/env-panel/") || face.only().is_some_and(|hosted| hosted.catalog.panel.is_some())
}

fn base(prefix: &str, face: Arc<Face>) -> Router {
    let mut base = Router::new();
    let routes: [(&str, MethodRouter<Arc<Face>>); ROUTES.len()] = [
        ("/health", get(health)),
        ("/metrics", get(metrics::handle)),
        ("/manifest", get(manifest)),
        ("/contract", get(contract)),
        ("/openapi.json", get(openapi)),
        ("/docs", get(page)),
        ("/call/{function}", post(call::handle)),
        ("/containers/{id}/read", post(containers::read)),
        ("/containers/{id}/write", post(containers::write)),
        ("/containers/{id}/evict", post(containers::evict)),
        ("/containers/evict", post(containers::evict_everywhere)),
        ("/containers/signal", post(containers::signal)),
        ("/env-panel/info", get(panel::info)),
        ("/env-panel/state", get(panel::state)),
        ("/env-panel/options/{field}", get(panel::options)),
        ("/env-panel/field/{field}", post(panel::set)),
        ("/env-panel/action/{action}", post(panel::act)),
        ("/mcp", any(mcp::handle)),
    ];
    for (path, methods) in routes.into_iter().filter(|(path, _)| is_there(path, &face)) {
        // Graph frameworks put paths behind a base URL that may end in a slash; a client of MCP has one URL, and `//mcp`
        // is another (B54).
        let slashes: &[&str] = if path == "/mcp" { &[""] } else { &["", "/"] };
        // What a client puts behind such a URL may be the path of a nodeset as well.
        let leads: &[&str] = if prefix.is_empty() { &[""] } else { slashes };
        for (lead, slash) in leads.iter().flat_map(|lead| slashes.iter().map(move |slash| (lead, slash))) {
            let path = format!("{lead}{prefix}{slash}{path}");
            // One trailing slash is ignored, never redirected: some clients follow no redirect.
            base = base.route(&format!("{path}/"), methods.clone()).route(&path, methods.clone());
        }
    }
    base.with_state(face)
}

async fn health(State(face): State<Arc<Face>>, principal: Option<Extension<Principal>>) -> Response {
    let body = face.health(principal.is_some()).to_string();
    match face.server.life.phase() {
        Phase::Ready => reply(Regime::Json, StatusCode::OK, body),
        Phase::Starting | Phase::Draining => {
            let mut response = reply(Regime::Json, StatusCode::SERVICE_UNAVAILABLE, body);
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
            response
        }
    }
}

async fn manifest(State(face): State<Arc<Face>>, headers: HeaderMap) -> Response {
    document(&face.manifest, &headers)
}

async fn contract(State(face): State<Arc<Face>>, headers: HeaderMap) -> Response {
    of_one(&face, "contract", &headers, Hosted::contract)
}

async fn openapi(State(face): State<Arc<Face>>, headers: HeaderMap) -> Response {
    of_one(&face, "openapi.json", &headers, Hosted::openapi)
}

#[allow(clippy::unused_async, reason = "axum takes async functions as handlers")]
async fn page() -> Response {
    let headers = [(CONTENT_TYPE, "text/html; charset=utf-8"), (CONTENT_SECURITY_POLICY, PAGE_POLICY)];
    (headers, PAGE).into_response()
}

/// A document of the only nodeset of a face.
fn of_one(face: &Face, what: &str, headers: &HeaderMap, of: impl Fn(&Hosted) -> Result<&Document, Error>) -> Response {
    if let Some(hosted) = face.only() {
        return match of(hosted) {
            Ok(made) => document(made, headers),
            Err(error) => Failure::from(error).in_regime(Regime::Json),
        };
    }
    let known = face.nodesets.iter().map(|hosted| format!("/{}/{what}", hosted.name())).collect();
    Failure::from(Error::refused(vec![Finding {
        kind: "not_found",
        detail: format!("each nodeset has a /{what} of its own"),
        known,
        ..Finding::default()
    }]))
    .in_regime(Regime::Json)
}

fn document(document: &Document, headers: &HeaderMap) -> Response {
    let mut response = if matches(headers, &document.etag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        reply(Regime::Json, StatusCode::OK, document.bytes.clone())
    };
    response.headers_mut().insert(ETAG, document.etag.clone());
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

/// `If-None-Match`, by the weak comparison that it asks for.
fn matches(headers: &HeaderMap, etag: &HeaderValue) -> bool {
    let sent = headers.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    sent.flat_map(|list| list.split(','))
        .map(str::trim)
        .any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag).as_bytes() == etag.as_bytes())
}

async fn not_found(known: Arc<[String]>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    body::leave(&parts.headers, body).await;
    let path = parts.uri.path();
    // Whoever came by an open door without a token learns no names.
    let known = if parts.extensions.get::<Principal>().is_some() { &*known } else { &[] };
    let failure = Failure::from(Error::refused(vec![Finding {
        kind: "not_found",
        detail: format!("there is no route `{path}`"),
        nearest: nearest(path, known.iter().map(String::as_str)).map(str::to_owned),
        known: known.to_vec(),
        ..Finding::default()
    }]));
    failure.in_regime(containers::regime_of(path, &parts.headers))
}

async fn wrong_method(request: Request) -> Response {
    let (parts, body) = request.into_parts();
    body::leave(&parts.headers, body).await;
    let detail = format!("{} does not work here; the header `allow` names what does", parts.method);
    Failure::new(StatusCode::METHOD_NOT_ALLOWED, Stage::SchemaValidation, "method_not_allowed", detail)
        .in_regime(containers::regime_of(parts.uri.path(), &parts.headers))
}
