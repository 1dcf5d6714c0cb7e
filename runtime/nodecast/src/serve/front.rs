//! What a listener of ours asks: calls and messages are answered where they stand, all else by the routes.
//!
//! Where a call or a message goes its path alone says. So it needs nothing of what a router makes for each request: a box
//! for the route and one for each layer around it, the parameters of its path, the extensions that carry what is known of
//! it. The routes know both as well and answer alike; what is unusual is theirs.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use fnv::FnvHashMap;
use http::Method;
use http::header::CONTENT_LENGTH;
use http::request::Parts;
use http_body::Body as _;
use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;

use super::delivery::Connection;
use super::edge::{Edge, Verdict};
use super::face::Face;
use super::{body, call, mcp};

/// The front of a host.
pub(super) struct Front {
    edge: Arc<Edge>,
    root: Arc<Face>,
    /// The faces of several nodesets, by the first segment of their paths.
    named: FnvHashMap<String, Arc<Face>>,
    routes: TowerToHyperService<Router>,
}

/// What needs no route.
enum Plain<'f, 'p> {
    /// A call of this function.
    Call(&'f Face, &'p str),
    /// A message of MCP.
    Message(&'f Face),
}

impl Front {
    /// The front of these faces; their routes are behind the edge already.
    pub(super) fn new(root: Arc<Face>, named: Vec<(String, Arc<Face>)>, edge: Arc<Edge>, routes: Router) -> Self {
        Self { edge, root, named: named.into_iter().collect(), routes: TowerToHyperService::new(routes) }
    }

    /// Answers a request that came over this connection.
    pub(super) async fn answer(&self, request: Request, connection: &Connection) -> Response {
        let (parts, body) = request.into_parts();
        let Some(plain) = self.plain(&parts.method, parts.uri.path()) else {
            return self.by_route(parts, body, connection).await;
        };
        let (principal, granted) = match self.edge.judge(&parts.method, &parts.uri, &parts.headers) {
            Verdict::Answered(response) => {
                Box::pin(body::leave(&parts.headers, body)).await;
                return response;
            }
            Verdict::Passed(principal, granted) => (principal, granted),
            // Nothing that is posted is open.
            Verdict::Open(_) => return self.by_route(parts, body, connection).await,
        };
        let response = match plain {
            Plain::Call(face, function) => {
                call::answer(face, principal, Some(connection), Some(function), (&parts, body)).await
            }
            Plain::Message(face) => {
                mcp::answer(face, principal, Some(connection), Request::from_parts(parts, body)).await
            }
        };
        let mut response = granted.to(response);
        // As a route does: hyper alone says it in another place, and over HTTP/2 not of an empty body.
        if let Some(length) = response.body().size_hint().exact() {
            response.headers_mut().entry(CONTENT_LENGTH).or_insert_with(|| length.into());
        }
        response
    }

    async fn by_route(&self, mut parts: Parts, body: Body, connection: &Connection) -> Response {
        parts.extensions.insert(connection.clone());
        let Ok(response) = self.routes.call(Request::from_parts(parts, body)).await;
        response
    }

    fn plain<'f, 'p>(&'f self, method: &Method, path: &'p str) -> Option<Plain<'f, 'p>> {
        // Where the reference is kept to, a layer around the routes words what fails.
        if method != Method::POST || self.root.server.options.reference {
            return None;
        }
        let path = path.strip_prefix('/')?;
        let (first, rest) = path.split_once('/').unwrap_or((path, ""));
        let (face, path) = match self.named.get(first) {
            Some(face) => (face, rest),
            None => (&self.root, path),
        };
        match path.split_once('/') {
            None if path == "mcp" => Some(Plain::Message(face)),
            Some(("call", function)) if is_name(function) => Some(Plain::Call(face, function)),
            _ => None,
        }
    }
}

/// Whether a segment is a name as declarations have it, so that there is nothing to be decoded in it.
fn is_name(segment: &str) -> bool {
    !segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size<'f, F>(_: impl Fn(&'f Front, Request, &'f Connection) -> F) -> usize {
        size_of::<F>()
    }

    /// It is moved several times before it runs, and a copy of what a rare request needs would cost more than an answer.
    #[test]
    fn the_future_of_a_request_is_small() {
        let size = size(Front::answer);
        assert!(size <= 8 << 10, "{size} bytes");
    }
}
