//! What a running node may ask and tell: cancellation, deadline, progress, log events, the caller.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::cancel::{Cancel, CancelGuard};
use super::{Asker, CallObserver, Changes, ContainerRef, Containers, Execution, TraceParent};
use crate::Error;
use crate::wire::Regime;

/// Who calls, as far as the face knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Caller {
    /// Which face: `http`, `mcp`, `stdio` or `local`; `batch` for a run that answers several calls.
    pub face: &'static str,
    /// How the arguments were written.
    pub regime: Regime,
    /// The authenticated principal, where there is one.
    pub principal: Option<String>,
}

/// The weight of a log event sent to the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogLevel {
    /// For who develops the node.
    Debug,
    /// Worth knowing.
    Info,
    /// Something is off.
    Warning,
    /// Something failed.
    Error,
}

/// Where progress and log events of one call go; a face implements it.
pub trait CallEvents: Send + Sync {
    /// `done` of `total` units, in the node's own unit.
    fn progress(&self, done: f64, total: Option<f64>, message: Option<&str>);
    /// A log event for the caller.
    fn log(&self, level: LogLevel, message: &str);
}

/// The listeners of all members of a batch.
struct Everyone(Vec<Arc<dyn CallEvents>>);

impl CallEvents for Everyone {
    fn progress(&self, done: f64, total: Option<f64>, message: Option<&str>) {
        self.0.iter().for_each(|events| events.progress(done, total, message));
    }

    fn log(&self, level: LogLevel, message: &str) {
        self.0.iter().for_each(|events| events.log(level, message));
    }
}

/// The context of one call; cheap to clone, shared by the node's own futures.
#[derive(Clone, Default)]
pub struct Context {
    caller: Caller,
    cancel: Cancel,
    /// Whether the cancellation is this call's alone, so that its end may cancel it.
    owns_cancel: bool,
    deadline: Option<Instant>,
    events: Option<Arc<dyn CallEvents>>,
    asker: Option<Arc<dyn Asker>>,
    changes: Changes,
    observer: Option<Arc<dyn CallObserver>>,
    trace: Option<TraceParent>,
    containers: Containers,
    execution: Option<Arc<Execution>>,
}

impl Context {
    /// A context for a call from `caller` that nobody cancels.
    pub fn new(caller: Caller) -> Self {
        Self { caller, ..Self::default() }
    }

    /// Cancels the call when `token` is cancelled.
    #[must_use]
    pub fn with_cancellation(mut self, token: CancellationToken) -> Self {
        (self.cancel, self.owns_cancel) = (Cancel::of(token), false);
        self
    }

    /// A context with a cancellation that was made for this call: it is cancelled when the call ends too, for whatever the
    /// node left running.
    #[cfg(feature = "serve")]
    pub(crate) fn of_call(caller: Caller, cancel: Cancel) -> Self {
        Self {
            caller,
            cancel,
            owns_cancel: true,
            deadline: None,
            events: None,
            asker: None,
            changes: Changes::default(),
            observer: None,
            trace: None,
            containers: Containers::default(),
            execution: None,
        }
    }

    /// The context with the node's own cancellation, which the guard cancels when nobody awaits the run any more: cancelled
    /// with the caller's, and after the deadline, so that work which the node handed to a thread learns of it too.
    pub(super) fn of_run(&self) -> (Cow<'_, Self>, CancelGuard) {
        if self.owns_cancel {
            return (Cow::Borrowed(self), self.cancel.clone().guard());
        }
        let cancel = Cancel::below(Arc::new(self.cancellation().clone()));
        (Cow::Owned(Self { cancel: cancel.clone(), ..self.clone() }), cancel.guard())
    }

    /// Ends the call with stage `timeout` after `limit`.
    #[must_use]
    pub fn with_timeout(mut self, limit: Duration) -> Self {
        // A limit beyond the clock's end is none.
        self.deadline = Instant::now().checked_add(limit);
        self
    }

    /// Sends progress and log events to `events`.
    #[must_use]
    pub fn with_events(mut self, events: Arc<dyn CallEvents>) -> Self {
        self.events = Some(events);
        self
    }

    /// Lets the node put questions to the client through `asker`.
    #[must_use]
    pub fn with_asker(mut self, asker: Arc<dyn Asker>) -> Self {
        self.asker = Some(asker);
        self
    }

    /// Tells of changes through `changes`.
    #[must_use]
    pub fn with_changes(mut self, changes: Changes) -> Self {
        self.changes = changes;
        self
    }

    /// Tells `observer` of the call's begin and end.
    #[must_use]
    pub fn with_observer(mut self, observer: Arc<dyn CallObserver>) -> Self {
        self.observer = Some(observer);
        self
    }

    /// Says where the call stands in its caller's trace.
    #[must_use]
    pub fn with_trace(mut self, trace: Option<TraceParent>) -> Self {
        self.trace = trace;
        self
    }

    /// Gives the node the containers of its nodeset.
    #[must_use]
    pub fn with_containers(mut self, containers: Containers) -> Self {
        self.containers = containers;
        self
    }

    /// Says which execution of a graph the call is part of.
    #[must_use]
    pub fn with_execution(mut self, execution: Option<Arc<Execution>>) -> Self {
        self.execution = execution;
        self
    }

    /// The context of a batch: as long as its most patient member, and heard by all.
    pub(super) fn of_batch<'a>(members: impl Iterator<Item = &'a Self> + Clone, token: CancellationToken) -> Self {
        let regime = members.clone().next().map(|member| member.caller.regime).unwrap_or_default();
        let changes = members.clone().next().map(|member| member.changes.clone()).unwrap_or_default();
        let containers = members.clone().next().map(|member| member.containers.clone()).unwrap_or_default();
        let deadlines: Option<Vec<_>> = members.clone().map(Self::deadline).collect();
        let events: Vec<_> = members.filter_map(|member| member.events.clone()).collect();
        Self {
            caller: Caller { face: "batch", regime, principal: None },
            cancel: Cancel::of(token),
            owns_cancel: false,
            deadline: deadlines.and_then(|all| all.into_iter().max()),
            events: (!events.is_empty()).then(|| Arc::new(Everyone(events)) as Arc<dyn CallEvents>),
            // A question of a batch would have several to answer it.
            asker: None,
            changes,
            // Its members are observed, each for itself.
            observer: None,
            trace: None,
            containers,
            // Its members may be parts of several.
            execution: None,
        }
    }

    /// Who calls.
    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    /// Whether nobody waits for the result any more; a long computation checks it now and then.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Completes when the call is cancelled.
    pub async fn cancelled(&self) {
        self.cancellation().cancelled().await;
    }

    /// The token itself, to hand on to work that the node starts.
    pub fn cancellation(&self) -> &CancellationToken {
        self.cancel.token()
    }

    /// What ends the call, whether or not anybody has asked for its token.
    pub(super) fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Where the call stands in its caller's trace, to hand on to services that the node asks.
    pub fn trace(&self) -> Option<&TraceParent> {
        self.trace.as_ref()
    }

    /// Who puts the node's questions to the client; none where nobody can be asked.
    pub(crate) fn asker(&self) -> Option<&dyn Asker> {
        self.asker.as_deref()
    }

    /// The way to the clients that keep lists and documents of this nodeset, to tell them what has changed.
    pub fn changes(&self) -> &Changes {
        &self.changes
    }

    /// A container by its id: one of the nodeset's own, or one that the caller lends for the length of this call.
    ///
    /// Those of its own are also there as their struct: [`Container::of`](super::Container::of).
    pub fn container<'a>(&'a self, id: &'a str) -> Result<ContainerRef<'a>, Error> {
        ContainerRef::find(&self.containers, self.execution.as_deref(), id)
    }

    /// The containers of the nodeset.
    pub fn containers(&self) -> &Containers {
        &self.containers
    }

    /// Resets the states of the nodeset that end with this signal, such as `episode`: how many.
    pub fn signal(&self, signal: &str) -> usize {
        self.containers.signal(signal, None)
    }

    /// The execution of a graph that the call is part of, where it is part of one.
    pub fn execution(&self) -> Option<&str> {
        self.execution.as_deref().map(|execution| execution.id.as_str())
    }

    /// The execution that the call is part of, with the containers of which it may begin a run.
    pub(super) fn part_of(&self) -> Option<(Containers, Arc<Execution>)> {
        self.execution.as_ref().map(|execution| (self.containers.clone(), execution.clone()))
    }

    /// Who learns of the call's end.
    pub(super) fn observer(&self) -> Option<&Arc<dyn CallObserver>> {
        self.observer.as_ref()
    }

    /// When the call times out.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Reports progress; nothing happens when the caller did not ask for it.
    pub fn progress(&self, done: f64, total: Option<f64>, message: Option<&str>) {
        if let Some(events) = &self.events {
            events.progress(done, total, message);
        }
    }

    /// Sends a log event to the caller; nothing happens when the caller did not ask for it.
    pub fn log(&self, level: LogLevel, message: &str) {
        if let Some(events) = &self.events {
            events.log(level, message);
        }
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context")
            .field("caller", &self.caller)
            .field("cancelled", &self.is_cancelled())
            .field("deadline", &self.deadline)
            .finish_non_exhaustive()
    }
}
