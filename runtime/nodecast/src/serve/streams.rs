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

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::response::Response;
use http::Version;
use http_body::{Body as HttpBody, Frame, SizeHint};
use hyper::body::Incoming;
use tokio::time::Instant;

use super::delivery::Connection;
use super::front::Front;

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

    /// What answers the requests of the connection, with an eye on each stream of HTTP/2.
    pub(super) fn watched(&self, front: Arc<Front>, carrier: Connection) -> Arc<Watched> {
        Arc::new(Watched { streams: self.clone(), front, carrier })
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

    /// A request has come; over HTTP/2 it is a stream.
    fn begin(&self, version: Version) -> Option<Arc<Stream>> {
        let mut state = lock(&self.0);
        if version != Version::HTTP_2 {
            state.idle = None;
            return None;
        }
        let stream = Arc::new(Stream::default());
        state.idle = Some(Instant::now());
        state.open.retain(|stream| stream.strong_count() > 0);
        state.open.push(Arc::downgrade(&stream));
        Some(stream)
    }
}

/// What answers the requests of a connection; see [`Streams::watched`].
pub(super) struct Watched {
    streams: Streams,
    front: Arc<Front>,
    carrier: Connection,
}

impl Watched {
    /// Answers one request.
    pub(super) fn answer(
        self: &Arc<Self>,
        request: Request<Incoming>,
    ) -> impl Future<Output = Result<Response, Infallible>> + Send + use<> {
        let (this, stream) = (self.clone(), self.streams.begin(request.version()));
        async move {
            let answer = this.front.answer(request.map(Body::new), &this.carrier).await;
            Ok(match stream {
                Some(stream) => answer.map(|body| Body::new(Taken::new(body, stream))),
                None => answer,
            })
        }
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
