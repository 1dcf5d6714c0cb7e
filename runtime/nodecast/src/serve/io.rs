//! A connection that cannot be held open by a peer which neither asks nor reads, and that tells when it breaks.
//!
//! A peer that closes its side may be gone, or have no more to ask and read on. The two look alike until something is sent:
//! what a living peer gets is acknowledged, and who is gone answers with a reset. So a connection that handed something
//! out is not let go before either has come.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep, sleep_until};

use super::delivery::Connection;

/// How long it waits before it looks a second time whether the last bytes were acknowledged; then twice as long each time.
const FIRST_LOOK: Duration = Duration::from_millis(1);
/// The longest wait between two looks.
const LONGEST_LOOK: Duration = Duration::from_millis(100);
/// So many reads of what nobody wants any more, before others have their turn.
const READS: usize = 16;

/// What a stream knows of its peer once this side has said its last.
pub(super) trait Peer {
    /// Whether all of it is over: both sides are closed and what was sent is acknowledged, or the peer has reset it.
    fn is_over(&self) -> bool;

    /// What went wrong with it.
    fn error(&self) -> Option<io::Error>;
}

impl Peer for TcpStream {
    fn is_over(&self) -> bool {
        // The system knows a peer until the last acknowledgement, or the reset, has come.
        self.peer_addr().is_err()
    }

    fn error(&self) -> Option<io::Error> {
        self.take_error().ok().flatten()
    }
}

/// hyper tells HTTP/1 from HTTP/2 by this many bytes, and waits for them without a limit of its own.
const PREFACE: usize = 24;

/// A stream with a limit on the first bytes and on every write that makes no progress.
pub(super) struct Limited<S> {
    stream: S,
    connection: Connection,
    preface: Option<Preface>,
    write_limit: Duration,
    stuck: Option<Pin<Box<Sleep>>>,
    /// The peer has said its last.
    is_asked: bool,
    last: Option<Last>,
}

/// This side has said its last, and waits for its acknowledgement.
struct Last {
    due: Pin<Box<Sleep>>,
    look: Pin<Box<Sleep>>,
    pause: Duration,
}

#[derive(Debug)]
struct Preface {
    missing: usize,
    due: Pin<Box<Sleep>>,
}

impl<S> Limited<S> {
    pub(super) fn new(stream: S, connection: Connection, head_limit: Duration, write_limit: Duration) -> Self {
        let due = Box::pin(sleep_until(Instant::now() + head_limit));
        let preface = Some(Preface { missing: PREFACE, due });
        Self { stream, connection, preface, write_limit, stuck: None, is_asked: false, last: None }
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

impl<S: AsyncRead + Peer + Unpin> Limited<S> {
    /// Waits until what was handed out is known to be there, or not to be.
    fn acknowledged(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let limit = self.write_limit;
        let last = self.last.get_or_insert_with(|| Last {
            due: Box::pin(sleep(limit)),
            look: Box::pin(sleep(FIRST_LOOK)),
            pause: FIRST_LOOK,
        });
        let is_late = last.due.as_mut().poll(cx).is_ready();
        for _ in 0..READS {
            if self.is_asked {
                break;
            }
            let mut unwanted = [0; 1024];
            let mut unwanted = ReadBuf::new(&mut unwanted);
            match Pin::new(&mut self.stream).poll_read(cx, &mut unwanted) {
                Poll::Ready(Ok(())) => self.is_asked = unwanted.filled().is_empty(),
                Poll::Ready(Err(_)) => {
                    self.connection.broke();
                    return Poll::Ready(());
                }
                // It is there and keeps its side open, which it may.
                Poll::Pending if is_late => return Poll::Ready(()),
                Poll::Pending => return Poll::Pending,
            }
        }
        if !self.is_asked {
            if is_late {
                return Poll::Ready(());
            }
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        while !self.stream.is_over() && !is_late {
            ready!(last.look.as_mut().poll(cx));
            last.pause = (last.pause * 2).min(LONGEST_LOOK);
            last.look.as_mut().reset(Instant::now() + last.pause);
        }
        if is_late || self.stream.error().is_some() {
            self.connection.broke();
        }
        Poll::Ready(())
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Limited<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        let (before, has_room) = (buf.filled().len(), buf.remaining() > 0);
        let polled = Pin::new(&mut this.stream).poll_read(cx, buf);
        this.is_asked |= has_room && matches!(polled, Poll::Ready(Ok(()))) && buf.filled().len() == before;
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

impl<S: AsyncRead + AsyncWrite + Peer + Unpin> AsyncWrite for Limited<S> {
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
        if self.last.is_none() {
            ready!(self.watched(cx, AsyncWrite::poll_shutdown))?;
        }
        if self.connection.has_handed_out() {
            ready!(self.acknowledged(cx));
        }
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};

    use super::*;

    impl Peer for DuplexStream {
        fn is_over(&self) -> bool {
            true
        }

        fn error(&self) -> Option<io::Error> {
            None
        }
    }

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
