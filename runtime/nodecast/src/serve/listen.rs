//! The accept loop: limits on a connection, HTTP/1.1 and HTTP/2, and an end that lets answers out.

use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::counted::Counted;
use super::delivery::Connection;
use super::front::Front;
use super::io::Limited;
use super::metrics::Traffic;
use super::options::Options;
use super::streams::Streams;
use super::timer::HeadTimer;

/// Streams of one HTTP/2 connection at once.
const MAX_STREAMS: u32 = 128;
/// Streams of one HTTP/2 connection that the peer took back before they were looked at; more, and it is a flood.
const MAX_RESET_UNSEEN: usize = 20;
/// Streams of one HTTP/2 connection that ended in an error of the peer's.
const MAX_RESET_WRONG: usize = 1024;
/// Headers of one request; enough for every client seen, and no room for a flood.
const MAX_HEADER_BYTES: usize = 64 << 10;
/// A peer that is given up on has this long to hear of it.
const FAREWELL: Duration = Duration::from_secs(1);
/// After a failed `accept` (no descriptor left, mostly), a pause lets connections end.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// When connections end.
#[derive(Clone, Debug)]
pub(super) struct Told {
    /// Those that only wait.
    pub(super) drain: CancellationToken,
    /// All of them, with the answers that they are at.
    pub(super) close: CancellationToken,
}

/// A bound socket.
#[derive(Debug)]
pub(super) struct Listener {
    socket: TcpListener,
    address: SocketAddr,
}

impl Listener {
    /// Binds at once, so that a taken port is an error before anything starts.
    pub(super) async fn bind(address: SocketAddr) -> io::Result<Self> {
        let socket = TcpListener::bind(address).await?;
        let address = socket.local_addr()?;
        Ok(Self { socket, address })
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until it is told to close, then lets every connection end its answer; dropping the future cuts them.
    pub(super) async fn serve(self, front: Arc<Front>, options: &Options, traffic: Traffic, told: Told) {
        let limits = Arc::new(Limits::of(options));
        let places = Arc::new(Semaphore::new(options.max_connections.min(Semaphore::MAX_PERMITS)));
        let mut connections = JoinSet::new();
        loop {
            let place = tokio::select! {
                () = told.close.cancelled() => break,
                Ok(place) = places.clone().acquire_owned() => place,
            };
            let accepted = tokio::select! {
                () = told.close.cancelled() => break,
                accepted = self.socket.accept() => accepted,
            };
            while connections.try_join_next().is_some() {}
            match accepted {
                Ok((stream, _)) => {
                    // Tokens of its own: they are looked at with every step of the connection, and all would wait for one lock.
                    let told = Told { close: told.close.child_token(), drain: told.drain.child_token() };
                    let (limits, front) = (limits.clone(), front.clone());
                    let stream = Counted::new(stream, traffic.clone());
                    connections.spawn(async move {
                        limits.connection(stream, front, told).await;
                        drop(place);
                    });
                }
                Err(error) => {
                    tracing::warn!(%error, "a connection was not accepted");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            }
        }
        drop(self.socket);
        while connections.join_next().await.is_some() {}
    }
}

#[derive(Debug)]
struct Limits {
    head: Duration,
    write: Duration,
}

impl Limits {
    fn of(options: &Options) -> Self {
        Self { head: options.header_timeout, write: options.write_timeout }
    }

    async fn connection(&self, stream: Counted<TcpStream>, front: Arc<Front>, Told { close, drain }: Told) {
        // Without it every streamed answer waits for the peer's delayed acknowledgement, some 40 ms.
        if let Err(error) = stream.get_ref().set_nodelay(true) {
            tracing::debug!(%error, "no TCP_NODELAY");
        }
        let mut builder = auto::Builder::new(TokioExecutor::new());
        builder.http1().timer(HeadTimer::new(self.head)).header_read_timeout(self.head).max_buf_size(MAX_HEADER_BYTES);
        // Who comes late is told so, and does not stay.
        let late = drain.is_cancelled();
        builder.http1().keep_alive(!late);
        builder
            .http2()
            .timer(TokioTimer::new())
            .max_concurrent_streams(MAX_STREAMS)
            .max_pending_accept_reset_streams(MAX_RESET_UNSEEN)
            .max_local_error_reset_streams(MAX_RESET_WRONG)
            .max_header_list_size(16 << 10);
        let carrier = Connection::default();
        let io = TokioIo::new(Limited::new(stream, carrier.clone(), self.head, self.write));
        let streams = Streams::new();
        let watched = streams.watched(front, carrier);
        let mut connection = pin!(builder.serve_connection(io, service_fn(move |request| watched.answer(request))));
        let ended = tokio::select! {
            biased;
            ended = connection.as_mut() => ended,
            reason = streams.stuck(self.head, self.write) => {
                tracing::debug!(reason, "a connection is closed");
                connection.as_mut().graceful_shutdown();
                let Ok(ended) = timeout(FAREWELL, connection).await else { return };
                ended
            }
            () = drain.cancelled(), if !late => {
                connection.as_mut().graceful_shutdown();
                connection.await
            }
            () = close.cancelled() => {
                connection.as_mut().graceful_shutdown();
                connection.await
            }
        };
        if let Err(error) = ended {
            tracing::debug!(error, "a connection ended early");
        }
    }
}
