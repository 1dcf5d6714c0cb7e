//! Progress and log messages of a running call, on their way to the client that asked for them.

use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{
    LoggingLevel, LoggingMessageNotificationParam, ProgressNotificationParam, ProgressToken, RequestMetaObject,
};
use rmcp::{Peer, RoleServer};
use tokio::sync::mpsc::{self, Receiver, Sender};
use tokio::task::JoinHandle;

use crate::call::{CallEvents, LogLevel};

/// A node may be this many events ahead of its client; further ones are dropped, since progress grows old.
const AHEAD: usize = 64;
/// What is under way when the call ends has this long to go out before its result.
const LAST: Duration = Duration::from_secs(1);

/// The sending end, given to the node.
struct Events {
    progress: Option<ProgressToken>,
    level: Option<LogLevel>,
    queue: Sender<Event>,
}

/// The forwarding end, held by the call.
pub(super) struct Forward {
    task: JoinHandle<()>,
}

enum Event {
    Progress(ProgressNotificationParam),
    Log(LoggingMessageNotificationParam),
}

/// What the request asked for, if it asked for anything.
pub(super) fn wanted(
    peer: &Peer<RoleServer>,
    meta: &RequestMetaObject,
    level: Option<LoggingLevel>,
) -> Option<(Arc<dyn CallEvents>, Forward)> {
    let (progress, level) = (meta.get_progress_token(), level.map(from_rmcp));
    if progress.is_none() && level.is_none() {
        return None;
    }
    let (queue, events) = mpsc::channel(AHEAD);
    let task = tokio::spawn(forward(peer.clone(), events));
    Some((Arc::new(Events { progress, level, queue }), Forward { task }))
}

impl Forward {
    /// Waits until what the node said has gone out; the node's end must be gone.
    pub(super) async fn finish(self) {
        let abort = self.task.abort_handle();
        if tokio::time::timeout(LAST, self.task).await.is_err() {
            abort.abort();
        }
    }
}

impl CallEvents for Events {
    fn progress(&self, done: f64, total: Option<f64>, message: Option<&str>) {
        let Some(token) = &self.progress else { return };
        let mut params = ProgressNotificationParam::new(token.clone(), done);
        params.total = total;
        params.message = message.map(str::to_owned);
        // Full or closed: the client is behind or gone, and the call does not wait for it.
        let _ = self.queue.try_send(Event::Progress(params));
    }

    fn log(&self, level: LogLevel, message: &str) {
        if self.level.is_some_and(|least| level >= least) {
            let params = LoggingMessageNotificationParam::new(to_rmcp(level), message.into());
            let _ = self.queue.try_send(Event::Log(params));
        }
    }
}

async fn forward(peer: Peer<RoleServer>, mut events: Receiver<Event>) {
    while let Some(event) = events.recv().await {
        let sent = match event {
            Event::Progress(params) => peer.notify_progress(params).await,
            Event::Log(params) => peer.notify_logging_message(params).await,
        };
        if sent.is_err() {
            return;
        }
    }
}

fn to_rmcp(level: LogLevel) -> LoggingLevel {
    match level {
        LogLevel::Debug => LoggingLevel::Debug,
        LogLevel::Info => LoggingLevel::Info,
        LogLevel::Warning => LoggingLevel::Warning,
        LogLevel::Error => LoggingLevel::Error,
    }
}

/// The least of our levels that the client's level lets through.
fn from_rmcp(level: LoggingLevel) -> LogLevel {
    match level {
        LoggingLevel::Debug => LogLevel::Debug,
        LoggingLevel::Info => LogLevel::Info,
        LoggingLevel::Notice | LoggingLevel::Warning => LogLevel::Warning,
        _ => LogLevel::Error,
    }
}
