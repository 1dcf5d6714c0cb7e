//! A connection whose bytes are counted, and which is itself counted while it is open.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::io::Peer;
use super::metrics::Traffic;

/// A stream, counted until it is dropped.
#[derive(Debug)]
pub(super) struct Counted<S> {
    stream: S,
    traffic: Traffic,
}

impl<S> Counted<S> {
    /// A connection that was just accepted.
    pub(super) fn new(stream: S, traffic: Traffic) -> Self {
        traffic.accepted.inc();
        traffic.connections.inc();
        Self { stream, traffic }
    }

    pub(super) fn get_ref(&self) -> &S {
        &self.stream
    }

    fn written(&self, polled: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        let written = ready!(polled)?;
        self.traffic.sent.inc_by(written as u64);
        Poll::Ready(Ok(written))
    }
}

impl<S: Peer> Peer for Counted<S> {
    fn is_over(&self) -> bool {
        self.stream.is_over()
    }

    fn error(&self) -> Option<io::Error> {
        self.stream.error()
    }
}

impl<S> Drop for Counted<S> {
    fn drop(&mut self) {
        self.traffic.connections.dec();
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Counted<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(cx, buf))?;
        self.traffic.received.inc_by((buf.filled().len() - before) as u64);
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Counted<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write(cx, buf);
        self.written(polled)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write_vectored(cx, bufs);
        self.written(polled)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
