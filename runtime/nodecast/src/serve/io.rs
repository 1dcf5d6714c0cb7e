//! A connection that cannot be held open by a peer which neither asks nor reads, and that tells when it breaks.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep, sleep_until};

use super::delivery::Connection;

/// hyper tells HTTP/1 from HTTP/2 by this many bytes, and waits for them without a limit of its own.
const PREFACE: usize = 24;

/// A stream with a limit on the first bytes and on every write that makes no progress.
pub(super) struct Limited<S> {
    stream: S,
    connection: Connection,
    preface: Option<Preface>,
    write_limit: Duration,
    stuck: Option<Pin<Box<Sleep>>>,
}

#[derive(Debug)]
struct Preface {
    missing: usize,
    due: Pin<Box<Sleep>>,
}

impl<S> Limited<S> {
    pub(super) fn new(stream: S, connection: Connection, head_limit: Duration, write_limit: Duration) -> Self {
        let due = Box::pin(sleep_until(Instant::now() + head_limit));
        Self { stream, connection, preface: Some(Preface { missing: PREFACE, due }), write_limit, stuck: None }
    }

    /// Tells when the connection is no more, which its orderly end is not.
    fn told<T>(&self, polled: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if let Poll::Ready(Err(_)) = &polled {
            self.connection.broke();
        }
        polled
    }

    /// A write of the stream, with its limit started, kept or cleared.
    fn watched<T>(
        &mut self,
        cx: &mut Context<'_>,
        write: impl FnOnce(Pin<&mut S>, &mut Context<'_>) -> Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>>
    where
        S: Unpin,
    {
        let polled = write(Pin::new(&mut self.stream), cx);
        if polled.is_ready() {
            self.stuck = None;
            return self.told(polled);
        }
        let limit = self.write_limit;
        let stuck = self.stuck.get_or_insert_with(|| Box::pin(sleep(limit)));
        match stuck.as_mut().poll(cx) {
            Poll::Ready(()) => {
                self.told(Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the peer reads nothing"))))
            }
            Poll::Pending => Poll::Pending,
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Limited<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        let before = buf.filled().len();
        let polled = Pin::new(&mut this.stream).poll_read(cx, buf);
        if let Some(preface) = &mut this.preface {
            let read = buf.filled().len() - before;
            preface.missing = preface.missing.saturating_sub(read);
            if preface.missing == 0 {
                this.preface = None;
            } else if polled.is_pending() && preface.due.as_mut().poll(cx).is_ready() {
                return Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the peer asks nothing")));
            }
        }
        this.told(polled)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Limited<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        self.watched(cx, |stream, cx| stream.poll_write(cx, buf))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.watched(cx, |stream, cx| stream.poll_write_vectored(cx, bufs))
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.watched(cx, AsyncWrite::poll_flush)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.watched(cx, AsyncWrite::poll_shutdown)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    const LIMIT: Duration = Duration::from_secs(10);

    #[tokio::test(start_paused = true)]
    async fn t05_a_silent_peer_is_cut() {
        let (_peer, ours) = duplex(64);
        let start = Instant::now();
        let mut ours = Limited::new(ours, Connection::default(), LIMIT, LIMIT);
        let error = ours.read_u8().await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert_eq!(start.elapsed(), LIMIT);
    }

    #[tokio::test(start_paused = true)]
    async fn an_idle_peer_is_not_cut_after_its_first_bytes() {
        let (mut peer, ours) = duplex(64);
        let mut ours = Limited::new(ours, Connection::default(), LIMIT, LIMIT);
        peer.write_all(&[b'x'; PREFACE]).await.unwrap();
        ours.read_exact(&mut [0; PREFACE]).await.unwrap();
        let waited = tokio::time::timeout(LIMIT * 3, ours.read_u8()).await;
        assert!(waited.is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn t05_a_peer_that_reads_nothing_is_cut() {
        let (_peer, ours) = duplex(8);
        let mut ours = Limited::new(ours, Connection::default(), LIMIT, LIMIT);
        let error = ours.write_all(&[0; 64]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }
}
