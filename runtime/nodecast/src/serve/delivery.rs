//! What an answer hands out, and takes back where the answer does not reach its client.
//!
//! A session id or a lease that nobody has read opens nothing for anybody, and would keep the nodeset from all others
//! until it idles away. Two ways lead there: the answer is dropped before its last byte, or the connection breaks. That
//! the peer has closed its side says neither: it may have nothing more to ask and read the answer all the same, or it may
//! be gone. Which of the two it is, shows when the answer is acknowledged, or is not ([`io`](super::io)).

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use axum::BoxError;
use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use http_body::{Body as HttpBody, Frame, SizeHint};

/// Takes something back, unless its receiver has used it meanwhile.
pub(super) type Undo = Box<dyn FnOnce() + Send>;

/// As many answers of one connection may be under way; HTTP/2 has a limit of its own on that.
const UNDER_WAY: usize = 128;

/// The connection that carries a request; in the extensions of every request of our own listener.
#[derive(Clone, Default)]
pub(super) struct Connection(Arc<Mutex<VecDeque<Undo>>>);

impl Connection {
    /// Undoes this if the connection breaks; of a connection that carries many answers, the latest are unread.
    fn remember(&self, undo: Undo) {
        let mut latest = lock(&self.0);
        latest.truncate(UNDER_WAY - 1);
        latest.push_front(undo);
    }

    /// Whether it has carried an answer that is undone if it breaks.
    pub(super) fn has_handed_out(&self) -> bool {
        !lock(&self.0).is_empty()
    }

    /// The connection broke.
    pub(super) fn broke(&self) {
        let latest = std::mem::take(&mut *lock(&self.0));
        for undo in latest {
            undo();
        }
    }
}

/// Where whoever makes an answer leaves what undoes it; in the extensions of a request.
#[derive(Clone, Default)]
pub(super) struct Slot(Arc<Left>);

#[derive(Default)]
struct Left(Mutex<Option<Undo>>);

impl Slot {
    pub(super) fn put(&self, undo: impl FnOnce() + Send + 'static) {
        *lock(&self.0.0) = Some(Box::new(undo));
    }

    /// The answer, with what was left here bound to its delivery.
    pub(super) fn bind(&self, response: Response, connection: Option<Connection>) -> Response {
        let undo = lock(&self.0.0).take();
        match undo {
            Some(undo) => response.map(|body| Body::new(Delivered::new(body, connection, undo))),
            None => response,
        }
    }
}

impl Drop for Left {
    /// Nobody waits for the answer any more.
    fn drop(&mut self) {
        let undo = lock(&self.0).take();
        if let Some(undo) = undo {
            undo();
        }
    }
}

/// The response with something that is dropped when the last of it is on its way, or it is itself.
pub(super) fn keeping<T: Unpin + Send + 'static>(response: Response, kept: T) -> Response {
    response.map(|body| Body::new(Keeping { body, _kept: kept }))
}

struct Keeping<T> {
    body: Body,
    _kept: T,
}

impl<T: Unpin> HttpBody for Keeping<T> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

struct Delivered {
    body: Body,
    connection: Option<Connection>,
    /// None once the whole body was handed over.
    undo: Option<Undo>,
}

impl Delivered {
    fn new(body: Body, connection: Option<Connection>, undo: Undo) -> Self {
        let mut delivered = Self { body, connection, undo: Some(undo) };
        if delivered.body.is_end_stream() {
            delivered.handed_over();
        }
        delivered
    }

    fn handed_over(&mut self) {
        if let (Some(undo), Some(connection)) = (self.undo.take(), &self.connection) {
            connection.remember(undo);
        }
    }
}

impl HttpBody for Delivered {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let polled = Pin::new(&mut self.body).poll_frame(cx);
        let is_last = match &polled {
            Poll::Ready(None) => true,
            Poll::Ready(Some(Ok(_))) => self.body.is_end_stream(),
            Poll::Ready(Some(Err(_))) | Poll::Pending => false,
        };
        if is_last {
            self.handed_over();
        }
        polled.map_err(Into::into)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Delivered {
    fn drop(&mut self) {
        if let Some(undo) = self.undo.take() {
            undo();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing panics while it holds one of these.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use http_body_util::BodyExt;

    use super::*;

    fn counted(slot: &Slot) -> Arc<AtomicUsize> {
        let undone = Arc::new(AtomicUsize::new(0));
        let counter = undone.clone();
        slot.put(move || {
            counter.fetch_add(1, Ordering::SeqCst);
        });
        undone
    }

    #[tokio::test]
    async fn t13_an_answer_that_is_dropped_is_undone_once() {
        let slot = Slot::default();
        let undone = counted(&slot);
        let connection = Connection::default();
        let response = slot.bind(Response::new(Body::from("lease")), Some(connection.clone()));
        drop(slot);
        assert_eq!(undone.load(Ordering::SeqCst), 0);
        drop(response);
        connection.broke();
        assert_eq!(undone.load(Ordering::SeqCst), 1);
    }

    #[tokio::test]
    async fn t13_an_answer_that_is_handed_over_is_undone_when_the_connection_breaks() {
        let (slot, connection) = (Slot::default(), Connection::default());
        let undone = counted(&slot);
        let response = slot.bind(Response::new(Body::from("lease")), Some(connection.clone()));
        assert_eq!(response.into_body().collect().await.unwrap().to_bytes(), "lease");
        assert_eq!(undone.load(Ordering::SeqCst), 0);
        connection.broke();
        connection.broke();
        assert_eq!(undone.load(Ordering::SeqCst), 1);
    }

    #[tokio::test]
    async fn an_orderly_end_undoes_nothing() {
        let (slot, connection) = (Slot::default(), Connection::default());
        let undone = counted(&slot);
        let response = slot.bind(Response::new(Body::from("lease")), Some(connection.clone()));
        response.into_body().collect().await.unwrap();
        drop((slot, connection));
        assert_eq!(undone.load(Ordering::SeqCst), 0);
    }

    #[test]
    fn t13_what_nobody_binds_is_undone() {
        let slot = Slot::default();
        let undone = counted(&slot);
        let copy = slot.clone();
        drop(slot);
        assert_eq!(undone.load(Ordering::SeqCst), 0);
        drop(copy);
        assert_eq!(undone.load(Ordering::SeqCst), 1);
    }
}
