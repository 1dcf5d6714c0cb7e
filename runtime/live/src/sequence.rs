//! Messages on the graph's thread: one after another as one item of the inbox, each step with what it changed.

use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use nodecast::Value;
use nodecast::call::{BoxFuture, Stage};
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::encode::compact;
use crate::expose::Expose;
use crate::graph::Refused;
use crate::host::{Busy, Door, Here, InvokeError, here, panic_text};
use crate::lines::{self, Step};
use crate::message::{Message, Messages, Rejected};
use crate::snapshot::Snapshot;

/// A message as a client sends it.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) message: String,
    pub(crate) args: Value,
    /// Where its arguments stand in what was sent.
    pub(crate) pointer: String,
}

/// What is asked of the graph after the last message, before anything else of the inbox.
pub(crate) type Then = Box<dyn FnOnce(&Here) -> Result<String, Rejected> + Send>;

/// What a sequence did.
#[derive(Debug)]
pub(crate) struct Ran {
    /// So many messages were asked for.
    pub(crate) asked: usize,
    /// Those that were applied.
    pub(crate) steps: Vec<Step>,
    /// What was wrong with the one behind them.
    pub(crate) rejected: Option<Rejected>,
    /// The state at the end.
    pub(crate) snapshot: Arc<Snapshot>,
    /// What was asked after them, where none was rejected.
    #[cfg_attr(not(feature = "trace"), allow(dead_code, reason = "only the traced tools ask for more"))]
    pub(crate) then: Option<Result<String, Rejected>>,
}

impl Ran {
    /// The lines of the steps alone.
    #[cfg(feature = "trace")]
    pub(crate) fn step_lines(&self) -> String {
        lines::steps(&self.steps).join("\n")
    }

    /// The text of the result; an error's begins with what is wrong.
    pub(crate) fn text(&self) -> Result<String, Rejected> {
        let mut lines = lines::steps(&self.steps);
        let Some(Rejected { stage, text }) = &self.rejected else {
            lines.push(lines::state(&self.snapshot));
            return Ok(lines.join("\n"));
        };
        let position = self.steps.len() + 1;
        let mut all = vec![format!("message {position} of {} rejected: {text}", self.asked)];
        match position {
            1 => {}
            2 => all.push("step 1 stays applied:".to_owned()),
            _ => all.push(format!("steps 1-{} stay applied:", position - 1)),
        }
        if !lines.is_empty() {
            all.append(&mut lines);
            all.push(lines::state(&self.snapshot));
        }
        Err(Rejected::new(*stage, all.join("\n")))
    }
}

/// Runs messages, whatever their type.
pub(crate) trait Sequence: Send + Sync {
    /// Decodes all messages, then brings those before the first refused one to the graph's thread.
    fn run(
        &self,
        door: &Door,
        messages: &Messages,
        asked: Vec<Result<Asked, Rejected>>,
        token: CancellationToken,
        then: Option<Then>,
    ) -> BoxFuture<'static, Result<Ran, Rejected>>;

    /// Asks on the graph's thread.
    #[cfg(feature = "trace")]
    fn ask(&self, door: &Door, ask: Then) -> BoxFuture<'static, Result<String, Rejected>>;
}

/// Brings a single message of the application's own type to the graph's thread.
pub(crate) trait Sender<M>: Send + Sync {
    fn send(&self, door: &Door, message: M) -> BoxFuture<'static, Result<Arc<Snapshot>, Rejected>>;
}

/// The way of one application's messages.
pub(crate) struct Of<M, V>(PhantomData<fn(M) -> V>);

impl<M, V> Of<M, V> {
    pub(crate) const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<M: Message, V: Expose> Sequence for Of<M, V> {
    fn run(
        &self,
        door: &Door,
        messages: &Messages,
        asked: Vec<Result<Asked, Rejected>>,
        token: CancellationToken,
        then: Option<Then>,
    ) -> BoxFuture<'static, Result<Ran, Rejected>> {
        let count = asked.len();
        let (mut decoded, mut refused) = (Vec::with_capacity(count), None);
        for asked in asked {
            let one = asked.and_then(|Asked { message, args, pointer }| {
                let value = messages.decode::<M>(&message, &args, &pointer)?;
                Ok((lines::label(&message, &compact(&args)), message, value))
            });
            match one {
                Ok(one) => decoded.push(one),
                Err(rejected) => {
                    refused = Some(rejected);
                    break;
                }
            }
        }
        ended(door.offer(move |app: &App<M, V>| on_thread(app, count, decoded, refused, &token, then).map(Ok)))
    }

    #[cfg(feature = "trace")]
    fn ask(&self, door: &Door, ask: Then) -> BoxFuture<'static, Result<String, Rejected>> {
        ended(door.offer(move |_: &App<M, V>| here().map(|here| ask(&here))))
    }
}

/// The end of what was brought to the graph's thread.
fn ended<T: 'static>(
    begun: Result<impl Future<Output = Result<Option<Result<T, Rejected>>, InvokeError>> + Send + 'static, Busy>,
) -> BoxFuture<'static, Result<T, Rejected>> {
    Box::pin(async move {
        let Ok(running) = begun else { return Err(busy()) };
        running.await.map_err(rejection)?.unwrap_or_else(|| Err(rejection(InvokeError::Closed)))
    })
}

impl<M: Message, V: Expose> Sender<M> for Of<M, V> {
    fn send(&self, door: &Door, message: M) -> BoxFuture<'static, Result<Arc<Snapshot>, Rejected>> {
        ended(door.offer(move |app: &App<M, V>| {
            let name = message.name().unwrap_or("message");
            let here = here()?;
            Some(step(&here, app, name.to_owned(), name, message).map(|_| here.publisher.snapshot()))
        }))
    }
}

/// The inbox has no place.
pub(crate) fn busy() -> Rejected {
    Rejected::new(Stage::Busy, "the application has more to do than its inbox takes; send the messages again later")
}

/// Why nothing came back of the thread.
pub(crate) fn rejection(error: InvokeError) -> Rejected {
    match error {
        InvokeError::Closed => Rejected::new(Stage::Busy, "the application has ended"),
        InvokeError::Cancelled => Rejected::new(Stage::Cancelled, "the call was cancelled"),
        InvokeError::Panicked(text) => {
            tracing::error!(panic = text, "a panic on the graph's thread");
            Rejected::new(Stage::InternalRuntime, "the application panicked; its log says why")
        }
    }
}

fn on_thread<M: Message, V: Expose>(
    app: &App<M, V>,
    asked: usize,
    messages: Vec<(String, String, M)>,
    refused: Option<Rejected>,
    token: &CancellationToken,
    then: Option<Then>,
) -> Option<Ran> {
    let here = here()?;
    let mut steps = Vec::with_capacity(messages.len());
    let mut rejected = None;
    for (label, name, message) in messages {
        if token.is_cancelled() {
            rejected = Some(Rejected::new(Stage::Cancelled, "the call was cancelled"));
            break;
        }
        match step(&here, app, label, &name, message) {
            Ok(step) => steps.push(step),
            Err(own) => {
                rejected = Some(own);
                break;
            }
        }
    }
    let rejected = rejected.or(refused);
    let then = if rejected.is_none() { then.map(|then| then(&here)) } else { None };
    Some(Ran { asked, steps, rejected, snapshot: here.publisher.snapshot(), then })
}

fn step<M: Message, V: Expose>(
    here: &Here,
    app: &App<M, V>,
    label: String,
    name: &str,
    message: M,
) -> Result<Step, Rejected> {
    let before = here.publisher.snapshot();
    here.publisher.take_unshown();
    let dispatch = || catch_unwind(AssertUnwindSafe(|| app.dispatch(message)));
    let done = here.graph.labelled(&label, dispatch);
    let after = here.publisher.snapshot();
    let (stage, what) = match done {
        Ok(Ok(())) => return Ok(Step::between(label, &before, &after, here.publisher.take_unshown())),
        Ok(Err(Refused(text))) => (Stage::AdapterExecution, format!("`{name}` failed: {text}")),
        Err(panic) => {
            tracing::error!(dispatched = name, panic = panic_text(&*panic), "a message panicked");
            (Stage::InternalRuntime, format!("`{name}` panicked; the application's log says why"))
        }
    };
    let version = after.version();
    let kept = if before.version() == version { "is unchanged" } else { "is what an effect left" };
    Err(Rejected::new(stage, format!("{what}; version {version} {kept}")))
}
