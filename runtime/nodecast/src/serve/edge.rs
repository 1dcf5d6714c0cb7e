//! Who may talk to this host: `Host` and `Origin` against what is allowed, the bearer token, CORS (`mcp.md` 5).
//!
//! Decided from the head of a request alone, before its body is read, for every route and method.

use std::borrow::Cow;
use std::net::{IpAddr, Ipv6Addr};
use std::str::FromStr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_HEADERS,
    ACCESS_CONTROL_REQUEST_METHOD, ALLOW, AUTHORIZATION, HOST, ORIGIN, VARY, WWW_AUTHENTICATE,
};
use http::uri::Authority;
use http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use subtle::ConstantTimeEq;

use super::error::Failure;
use super::options::Options;
use super::{body, containers, mcp};
use crate::call::Stage;
use crate::wire::Regime;

/// Headers that a page may send across origins, once its origin is allowed.
const CORS_HEADERS: HeaderValue = HeaderValue::from_static(
    "authorization, content-type, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id, \
     nodecast-lease, traceparent, tracestate",
);
/// The methods of all routes together.
const METHODS: HeaderValue = HeaderValue::from_static("GET, HEAD, POST, DELETE");
/// What the headers begin with that mirror an argument; which there are, the tools of a nodeset say.
const MIRRORS: &str = "mcp-param-";

/// What the edge lets pass.
#[derive(Debug)]
pub(super) struct Edge {
    hosts: Vec<Host<'static>>,
    /// Bound to every address, so callers name it by any of them; a rebinding attack needs a name, never an address.
    any_address: bool,
    origins: Vec<String>,
    token: Option<Vec<u8>>,
}

/// Who sent a request, as the edge knows; in the extensions of every request that passed.
#[derive(Clone, Debug, Default)]
pub(super) struct Principal(pub(super) Option<String>);

/// What becomes of a request.
pub(super) enum Verdict {
    /// It goes no further, and this is its answer.
    Answered(Response),
    /// It passes, whoever sent it.
    Open(Granted),
    /// It passes.
    Passed(Principal, Granted),
}

/// The origin whose pages may read the answer to a request, where it has to be told.
pub(super) struct Granted(Option<HeaderValue>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Host<'t> {
    name: Cow<'t, str>,
    port: Option<u16>,
}

impl Host<'_> {
    fn into_owned(self) -> Host<'static> {
        Host { name: self.name.into_owned().into(), port: self.port }
    }
}

impl Edge {
    /// Reads what is allowed; fails with what is wrong with it.
    pub(super) fn new(options: &Options) -> Result<Self, String> {
        let mut hosts: Vec<_> =
            ["localhost", "127.0.0.1", "[::1]"].map(|name| Host { name: name.into(), port: None }).into();
        if !options.host.is_unspecified() {
            hosts.push(Host { name: bracketed(options.host).into(), port: None });
        }
        for allowed in &options.allow_host {
            let host = parse_host(allowed.trim()).ok_or_else(|| format!("--allow-host: `{allowed}` is not a host"))?;
            hosts.push(host.into_owned());
        }
        for origin in &options.allow_origin {
            if !is_origin(origin) {
                return Err(format!("--allow-origin: `{origin}` is not an origin such as https://app.example"));
            }
        }
        let token = match &options.token_file {
            None => None,
            Some(path) => {
                let text = std::fs::read_to_string(path)
                    .map_err(|error| format!("--token-file {}: {error}", path.display()))?;
                let token = text.trim();
                if token.is_empty() || token.contains(char::is_whitespace) {
                    return Err(format!("--token-file {}: expected one token and nothing else", path.display()));
                }
                Some(token.as_bytes().to_vec())
            }
        };
        let origins = options.allow_origin.iter().map(|origin| origin.to_ascii_lowercase()).collect();
        Ok(Self { hosts, any_address: options.host.is_unspecified(), origins, token })
    }

    /// Whether callers must send a token.
    pub(super) fn asks_for_token(&self) -> bool {
        self.token.is_some()
    }

    /// What becomes of a request with this head.
    pub(super) fn judge(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Verdict {
        let refused = |failure| Refusal::of(uri, headers).dress(failure);
        let granted = match self.check_host(uri, headers).and_then(|host| self.check_origin(&host, headers)) {
            Ok(granted) => Granted(granted),
            Err(failure) => return Verdict::Answered(refused(failure)),
        };
        if method == Method::OPTIONS
            && let Some(origin) = &granted.0
            && headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD)
        {
            return Verdict::Answered(preflight(origin, headers));
        }
        let principal = match self.check_token(headers) {
            Ok(principal) => Some(principal),
            Err(_) if is_open(method, uri) => None,
            // No browser sends a token with a preflight, so asking for one would only be asked again.
            Err(_) if method == Method::OPTIONS => return Verdict::Answered(granted.to(refused(no_options()))),
            Err(failure) => return Verdict::Answered(granted.to(refused(failure))),
        };
        if let Some(failure) = body::misannounced(uri, headers) {
            return Verdict::Answered(granted.to(refused(failure)));
        }
        match principal {
            Some(principal) => Verdict::Passed(principal, granted),
            None => Verdict::Open(granted),
        }
    }

    fn check_host<'r>(&self, uri: &'r Uri, headers: &'r HeaderMap) -> Result<Host<'r>, Failure> {
        let mut named = headers.get_all(HOST).iter();
        let header = match (named.next(), named.next()) {
            (_, Some(_)) => return Err(bad_host("the request has more than one Host header")),
            (Some(header), None) => {
                let text = header.to_str().map_err(|_| bad_host("the Host header is not text"))?;
                Some(parse_host(text).ok_or_else(|| bad_host("the Host header is not a host and a port"))?)
            }
            (None, None) => None,
        };
        // HTTP/2 carries the host as `:authority`, which hyper puts into the URI.
        let authority = match uri.authority() {
            Some(authority) => {
                Some(parse_host(authority.as_str()).ok_or_else(|| bad_host("the authority is not a host and a port"))?)
            }
            None => None,
        };
        let host = match (header, authority) {
            (Some(header), Some(authority)) if header != authority => {
                return Err(bad_host("the Host header and the authority differ"));
            }
            (Some(host), _) | (None, Some(host)) => host,
            (None, None) => return Err(bad_host("the request has no Host header")),
        };
        if self.allows(&host) {
            Ok(host)
        } else {
            Err(forbidden("host_not_allowed", "this host does not answer to that name; allow it with --allow-host"))
        }
    }

    fn allows(&self, host: &Host<'_>) -> bool {
        if self.any_address && IpAddr::from_str(host.name.trim_matches(['[', ']'])).is_ok() {
            return true;
        }
        self.hosts.iter().any(|allowed| {
            allowed.name == "*" || (allowed.name == host.name && (allowed.port.is_none() || allowed.port == host.port))
        })
    }

    /// The origin to grant CORS to, if any.
    fn check_origin(&self, host: &Host<'_>, headers: &HeaderMap) -> Result<Option<HeaderValue>, Failure> {
        let refused = || forbidden("origin_not_allowed", "this origin may not call; allow it with --allow-origin");
        let mut sent = headers.get_all(ORIGIN).iter();
        let origin = match (sent.next(), sent.next()) {
            (None, _) => return Ok(None),
            (Some(_), Some(_)) => return Err(refused()),
            (Some(origin), None) => origin,
        };
        let text = origin.to_str().map_err(|_| refused())?.to_ascii_lowercase();
        if self.origins.contains(&text) {
            return Ok(Some(origin.clone()));
        }
        let own = text.strip_prefix("http://").and_then(parse_host);
        match own {
            Some(own) if own.name == host.name && own.port.unwrap_or(80) == host.port.unwrap_or(80) => Ok(None),
            _ => Err(refused()),
        }
    }

    fn check_token(&self, headers: &HeaderMap) -> Result<Principal, Failure> {
        let Some(expected) = &self.token else { return Ok(Principal(None)) };
        let mut sent = headers.get_all(AUTHORIZATION).iter();
        let token = match (sent.next(), sent.next()) {
            (Some(value), None) => bearer(value.as_bytes()),
            _ => None,
        };
        match token {
            Some(token) if bool::from(token.ct_eq(expected)) => Ok(Principal(Some("bearer".to_owned()))),
            _ => {
                let detail = "this host asks for a token; send it as `Authorization: Bearer …`";
                Err(Failure::new(StatusCode::UNAUTHORIZED, Stage::SchemaValidation, "unauthorized", detail)
                    .with_header(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer")))
            }
        }
    }
}

/// The edge as a layer around every route.
pub(super) async fn guard(State(edge): State<Arc<Edge>>, mut request: Request, next: Next) -> Response {
    match edge.judge(request.method(), request.uri(), request.headers()) {
        Verdict::Answered(response) => body::left(request, response).await,
        Verdict::Open(granted) => granted.to(next.run(request).await),
        Verdict::Passed(principal, granted) => {
            request.extensions_mut().insert(principal);
            granted.to(next.run(request).await)
        }
    }
}

/// How a refusal of the edge is dressed: as the route that was asked would have dressed it.
#[derive(Clone, Copy)]
enum Refusal {
    Plain(Regime),
    Mcp,
}

impl Refusal {
    fn of(uri: &Uri, headers: &HeaderMap) -> Self {
        if page(uri) == Some("mcp") { Self::Mcp } else { Self::Plain(containers::regime_of(uri.path(), headers)) }
    }

    fn dress(self, failure: Failure) -> Response {
        match self {
            Self::Plain(regime) => failure.in_regime(regime),
            Self::Mcp => mcp::refused(&failure),
        }
    }
}

/// Whether anybody may read this: a health check, which then answers its first members alone, or the page to try nodes
/// on, which holds nothing and asks for the token.
fn is_open(method: &Method, uri: &Uri) -> bool {
    matches!(*method, Method::GET | Method::HEAD) && matches!(page(uri), Some("health" | "docs"))
}

/// The route of the host or of one of its nodesets that is named by a single segment. Deeper ones end in what a declaration
/// has named: a function, a container or the field of a panel may be called `health`, `docs` or `mcp`.
pub(super) fn page(uri: &Uri) -> Option<&str> {
    let path = uri.path().trim_matches('/');
    let (nodeset, page) = path.rsplit_once('/').unwrap_or(("", path));
    // A base URL may end in a slash.
    let nodeset = nodeset.strip_suffix('/').unwrap_or(nodeset);
    // No nodeset is called so.
    (nodeset != "call" && !nodeset.contains('/')).then_some(page)
}

fn preflight(origin: &HeaderValue, asked: &HeaderMap) -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_METHODS, METHODS);
    headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, CORS_HEADERS);
    for mirror in asked.get_all(ACCESS_CONTROL_REQUEST_HEADERS).iter().filter_map(|names| names.to_str().ok()) {
        for name in mirror.split(',').map(str::trim).filter(|name| name.to_ascii_lowercase().starts_with(MIRRORS)) {
            if let Ok(name) = HeaderValue::from_str(name) {
                headers.append(ACCESS_CONTROL_ALLOW_HEADERS, name);
            }
        }
    }
    headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
    Granted(Some(origin.clone())).to(response)
}

impl Granted {
    /// The response with what the browser has to be told.
    pub(super) fn to(self, mut response: Response) -> Response {
        if let Some(origin) = self.0 {
            let headers = response.headers_mut();
            headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
            headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("mcp-session-id"));
            headers.append(VARY, HeaderValue::from_static("origin"));
        }
        response
    }
}

fn bearer(value: &[u8]) -> Option<&[u8]> {
    let (scheme, token) = value.split_at_checked(7)?;
    scheme.eq_ignore_ascii_case(b"bearer ").then(|| token.trim_ascii())
}

/// A name or bracketed address with or without a port; names in lower case.
fn parse_host(text: &str) -> Option<Host<'_>> {
    if text == "*" {
        return Some(Host { name: text.into(), port: None });
    }
    if let Some(host) = usual_host(text) {
        return Some(host);
    }
    let authority = Authority::from_str(text).ok()?;
    // `Authority` takes user information and an unclosed list of colons, which no Host header may have.
    if text.contains('@') || authority.host().is_empty() {
        return None;
    }
    let rest = text.get(authority.host().len()..)?;
    let port = match rest.strip_prefix(':') {
        Some(port) => Some(port.parse().ok()?),
        None if rest.is_empty() => None,
        None => return None,
    };
    let name = authority.host().to_ascii_lowercase();
    if let Some(address) = name.strip_prefix('[') {
        let address = Ipv6Addr::from_str(address.strip_suffix(']')?).ok()?;
        return Some(Host { name: bracketed(IpAddr::V6(address)).into(), port });
    }
    Some(Host { name: name.into(), port })
}

/// What nearly every request names: a name or an IPv4 address in lower case, which needs no parser of URIs.
fn usual_host(text: &str) -> Option<Host<'_>> {
    let (name, port) = match text.split_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => (name, Some(port.parse().ok()?)),
        Some(_) => return None,
        None => (text, None),
    };
    let is_usual = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'.' | b'-');
    (!name.is_empty() && name.bytes().all(is_usual)).then(|| Host { name: name.into(), port })
}

fn bracketed(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("[{address}]"),
    }
}

fn is_origin(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    rest.and_then(parse_host).is_some_and(|host| host.name != "*" && host.port != Some(0))
}

fn no_options() -> Failure {
    let detail = "OPTIONS does not work here; allow the origin with --allow-origin to let its pages call";
    Failure::new(StatusCode::METHOD_NOT_ALLOWED, Stage::SchemaValidation, "method_not_allowed", detail)
        .with_header(ALLOW, METHODS)
}

fn bad_host(detail: &'static str) -> Failure {
    Failure::new(StatusCode::BAD_REQUEST, Stage::SchemaValidation, "bad_host", detail)
}

fn forbidden(kind: &'static str, detail: &'static str) -> Failure {
    Failure::new(StatusCode::FORBIDDEN, Stage::SchemaValidation, kind, detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t03_what_a_declaration_names_is_no_open_door() {
        let open = |method: &Method, path: &str| is_open(method, &path.parse().unwrap());
        let usual = ["/health", "/health/", "/docs", "/docs/", "/vision/health", "/vision/docs/"];
        for path in usual.into_iter().chain(["//health/", "/vision//health", "/health?x=/env-panel/state"]) {
            assert!(open(&Method::GET, path) && open(&Method::HEAD, path) && !open(&Method::POST, path), "{path}");
        }
        // A field of a panel may have these names, and what can be chosen there is nobody else's to read.
        for path in [
            "/env-panel/options/health",
            "/env-panel/options/docs/",
            "/robot/env-panel/options/health",
            "/env-panel/options//health",
            "/call/health",
            "/call//health",
            "/containers/health/read",
            "/manifest",
            "/manifest?x=/health",
            "/",
        ] {
            assert!(!open(&Method::GET, path), "{path}");
        }
        let is_mcp = |path: &str| matches!(Refusal::of(&path.parse().unwrap(), &HeaderMap::new()), Refusal::Mcp);
        assert!(is_mcp("/mcp") && is_mcp("/vision/mcp/"));
        assert!(!is_mcp("/call/mcp") && !is_mcp("/env-panel/field/mcp"));
    }
}
