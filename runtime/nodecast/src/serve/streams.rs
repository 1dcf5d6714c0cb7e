//! What an HTTP/2 connection waits for: a peer that asks nothing, or that takes no answer, does not keep it.
//!
//! Over HTTP/1 the socket tells both: hyper waits for the next head with a limit, and a write that is stuck is stuck in
//! the socket. An HTTP/2 peer can hold an answer back by granting no window, and its connection without a request, while
//! the socket is as lively as ever.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::response::Response;
use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, Either};
use http::Version;
use http_body::{Body as HttpBody, Frame, SizeHint};
use hyper::body::Incoming;
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;
use tokio::time::Instant;

use super::delivery::Connection;

/// The streams of one connection.
#[derive(Clone, Debug)]
pub(super) struct Streams(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    /// Those that are open, and some that were.
    open: Vec<Weak<Stream>>,
    /// Since when it is the peer's turn to ask; none once it has spoken HTTP/1.
    idle: Option<Instant>,
}

/// One request and its answer.
#[derive(Debug, Default)]
struct Stream {
    /// Since when it is the peer's turn to take what is there; none while it is ours to make it.
    held: Mutex<Option<Instant>>,
}

impl Streams {
    /// A connection that has begun now.
    pub(super) fn new() -> Self {
        Self(Arc::new(Mutex::new(State { open: Vec::new(), idle: Some(Instant::now()) })))
    }

    /// The routes, with an eye on each stream of HTTP/2; every request knows the connection that carries it.
    pub(super) fn watched(&self, router: Router, carrier: Connection) -> Watched {
        Watched { streams: self.clone(), router: TowerToHyperService::new(router), carrier }
    }

    /// Waits until the peer has asked nothing for `idle`, or left an answer untouched for `write`; says which.
    pub(super) async fn stuck(&self, idle: Duration, write: Duration) -> &'static str {
        loop {
            tokio::time::sleep(idle.min(write)).await;
            let now = Instant::now();
            let mut state = lock(&self.0);
            state.open.retain(|stream| stream.strong_count() > 0);
            let mut open = state.open.iter().filter_map(Weak::upgrade);
            if open.any(|stream| lock(&stream.held).is_some_and(|since| now - since >= write)) {
                return "the peer takes no answer";
            }
            if state.idle.is_some_and(|since| now - since >= idle) {
                if state.open.is_empty() {
                    return "the peer asks nothing";
                }
                // When they end it is the peer's turn, at the earliest from now on.
                state.idle = Some(now);
            }
        }
    }

    fn begin(&self) -> Arc<Stream> {
        let stream = Arc::new(Stream::default());
        let mut state = lock(&self.0);
        state.idle = Some(Instant::now());
        state.open.retain(|stream| stream.strong_count() > 0);
        state.open.push(Arc::downgrade(&stream));
        stream
    }
}

/// The routes of a connection; see [`Streams::watched`].
#[derive(Clone)]
pub(super) struct Watched {
    streams: Streams,
    router: TowerToHyperService<Router>,
    carrier: Connection,
}

impl Service<Request<Incoming>> for Watched {
    type Response = Response;
    type Error = Infallible;
    type Future = Either<
        <TowerToHyperService<Router> as Service<Request<Incoming>>>::Future,
        BoxFuture<'static, Result<Response, Infallible>>,
    >;

    fn call(&self, mut request: Request<Incoming>) -> Self::Future {
        request.extensions_mut().insert(self.carrier.clone());
        if request.version() != Version::HTTP_2 {
            lock(&self.streams.0).idle = None;
            return Either::Left(self.router.call(request));
        }
        let stream = self.streams.begin();
        let answer = self.router.call(request);
        Either::Right(async move { Ok(answer.await?.map(|body| Body::new(Taken::new(body, stream)))) }.boxed())
    }
}

/// A body that knows whose turn it is.
#[derive(Debug)]
struct Taken {
    body: Body,
    stream: Arc<Stream>,
}

impl Taken {
    fn new(body: Body, stream: Arc<Stream>) -> Self {
        *lock(&stream.held) = Some(Instant::now());
        Self { body, stream }
    }
}

impl HttpBody for Taken {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        // Asked for more: the peer has taken what there was.
        *lock(&self.stream.held) = None;
        let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
        *lock(&self.stream.held) = Some(Instant::now());
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // Nothing panics while it holds one of these.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
