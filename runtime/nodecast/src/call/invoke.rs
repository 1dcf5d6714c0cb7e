//! The one call path: arguments are routed to fields, checked, run, the reply is checked and dressed.

use std::borrow::Cow;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{Either, select};
use tracing::field::Empty;
use tracing::{Instrument, Span};

use super::cancel::CancelGuard;
use super::exported::Exported;
use super::observe::Account;
use super::panic::caught;
use super::work::{is_heavy, off_the_workers};
use super::{
    Args, Context, Error, Finding, Offer, PanelAnswer, PanelAsk, Partial, RawArguments, Reply, Runner, Signature, Stage,
};
use crate::wire::Regime;

/// The type of the error that ends a run which asked its client.
pub(super) const INPUT_REQUIRED: &str = "input_required";

/// What is called, by its place in the list of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A node.
    Node(usize),
    /// What is offered beside nodes.
    Offer(Offer),
}

impl Target {
    /// The word of the log; none for a node, which most calls are of.
    const fn part(self) -> Option<&'static str> {
        match self {
            Self::Node(_) => None,
            Self::Offer(_) => Some(self.label()),
        }
    }

    /// Which part of its nodeset it is, for who counts calls.
    const fn label(self) -> &'static str {
        match self {
            Self::Node(_) => NODE,
            Self::Offer(Offer::Resource(_)) => RESOURCE,
            Self::Offer(Offer::Prompt(_)) => PROMPT,
        }
    }
}

/// What most calls are of.
pub(crate) const NODE: &str = "node";
/// What a read is of.
pub(crate) const RESOURCE: &str = "resource";
/// What messages are made of.
pub(crate) const PROMPT: &str = "prompt";
/// What is proposed for an argument.
const COMPLETION: &str = "completion";
/// What people see and set beside a graph.
const PANEL: &str = "panel";

/// Calls `target` of `runner`: routes and checks the arguments, runs it, checks the reply, and lets the face `dress` it, so
/// that what a face cannot say is a failure of the call like any other.
///
/// `arguments` may be what is wrong with the message that carried them, since that too is the end of a call.
///
/// A node that panics, is cancelled or is too late answers like one that fails; the node has not run when its
/// arguments are refused. What may take long of the checks and of the dressing is done off the async workers.
pub async fn invoke<T: Send + 'static>(
    name: &str,
    signature: &Arc<Signature>,
    (runner, target): (&dyn Runner, Target),
    arguments: Result<RawArguments, Error>,
    cx: &Context,
    dress: impl FnOnce(Reply) -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    let (span, exported) = span(name, target.part(), cx);
    async {
        let account = Account::open((target.label(), name), cx, &exported);
        let regime = cx.caller().regime;
        let args = match arguments {
            Ok(arguments) => routed(signature, arguments, regime).await,
            Err(refused) => Err(refused),
        };
        let reply = match args {
            Ok(args) => {
                let mut args = args.part_of(cx.part_of());
                if !runner.decodes() {
                    args.enter();
                }
                let (inner, _cancel_at_the_end) = own(cx, &exported);
                let run = async {
                    match target {
                        Target::Node(index) => runner.run(index, args, &inner).await,
                        Target::Offer(offer) => runner.answer(offer, args, &inner).await,
                    }
                };
                ended(cx, run).await
            }
            Err(refused) => Err(refused),
        };
        let (dressed, failure) = match reply {
            Ok(reply) if is_heavy(reply.values(), regime) => {
                let signature = signature.clone();
                let work = off_the_workers(move || dressed(&signature, Ok(reply), regime, dress));
                work.await.unwrap_or_else(|stopped| (Err(stopped), None))
            }
            reply => dressed(signature, reply, regime, dress),
        };
        account.close(dressed.as_ref().err().or(failure.as_ref()));
        dressed
    }
    .instrument(span)
    .await
}

/// The arguments in their slots, checked.
async fn routed(signature: &Arc<Signature>, arguments: RawArguments, regime: Regime) -> Result<Args, Error> {
    if !arguments.is_heavy(regime) {
        return signature.route(arguments, regime);
    }
    let signature = signature.clone();
    off_the_workers(move || signature.route(arguments, regime)).await?
}

/// What the face makes of a reply once that is checked, and the failure that it tells of.
fn dressed<T>(
    signature: &Signature,
    reply: Result<Reply, Error>,
    regime: Regime,
    dress: impl FnOnce(Reply) -> Result<T, Error>,
) -> (Result<T, Error>, Option<Error>) {
    let reply = reply.and_then(|reply| signature.check(reply, regime));
    let reply = reply.map_err(|error| if signature.show_errors { error.shown() } else { error });
    // A face may pass a failure on as it stands; it is one all the same.
    let failure = reply.as_ref().ok().and_then(Reply::failure).cloned();
    (reply.and_then(dress), failure)
}

/// Asks `runner` what the argument at `index` of `offer` could become: with the limits of a call, and logged as one.
pub async fn complete(
    name: &str,
    (runner, offer, index): (&dyn Runner, Offer, usize),
    partial: &Partial,
    cx: &Context,
) -> Result<Vec<String>, Error> {
    let (span, exported) = span(name, Some(COMPLETION), cx);
    async {
        let account = Account::uncounted((COMPLETION, name), cx, &exported);
        let (inner, _cancel_at_the_end) = own(cx, &exported);
        let values = ended(cx, async { runner.complete(offer, index, partial, &inner).await }).await;
        account.close(values.as_ref().err());
        values
    }
    .instrument(span)
    .await
}

/// Asks the panel of `runner`: with the limits of a call, and logged as one.
pub async fn aside(name: &str, runner: &dyn Runner, ask: PanelAsk, cx: &Context) -> Result<PanelAnswer, Error> {
    let (span, exported) = span(name, Some(PANEL), cx);
    async {
        let account = Account::uncounted((PANEL, name), cx, &exported);
        let (inner, _cancel_at_the_end) = own(cx, &exported);
        let answer = ended(cx, async { runner.panel(ask, &inner).await }).await;
        account.close(answer.as_ref().err());
        answer
    }
    .instrument(span)
    .await
}

fn span(name: &str, part: Option<&str>, cx: &Context) -> (Span, Exported) {
    let span = tracing::info_span!(
        "call",
        function = name,
        part = Empty,
        face = cx.caller().face,
        trace_id = Empty,
        parent_id = Empty,
        span_id = Empty
    );
    if let Some(part) = part {
        span.record("part", part);
    }
    let exported = Exported::of(&span, cx.trace());
    if let Some(own) = exported.trace() {
        span.record("trace_id", own.trace_id()).record("span_id", own.parent_id());
    }
    if let Some(caller) = cx.trace() {
        if exported.trace().is_none() {
            span.record("trace_id", caller.trace_id());
        }
        span.record("parent_id", caller.parent_id());
    }
    (span, exported)
}

/// The context for what runs. What the node hands on of its trace is its own place in it, where it has one.
fn own<'c>(cx: &'c Context, exported: &Exported) -> (Cow<'c, Context>, CancelGuard) {
    let (inner, cancel_at_the_end) = cx.of_run();
    let inner = match exported.trace() {
        Some(trace) => Cow::Owned(inner.into_owned().with_trace(Some(trace.clone()))),
        None => inner,
    };
    (inner, cancel_at_the_end)
}

/// The end of what runs, which a panic, a question to the client, a cancellation or the deadline may be.
async fn ended<T>(cx: &Context, run: impl Future<Output = Result<T, Error>> + Send) -> Result<T, Error> {
    let mut node = pin!(Some(run));
    let running = caught(node.as_mut());
    let run = async {
        match cx.asker() {
            None => running.await,
            Some(asker) => match select(pin!(running), asker.suspended()).await {
                Either::Left((ended, _)) => ended,
                Either::Right(_) => Err(suspended()),
            },
        }
    };
    let run = cx.cancel().unless_cancelled(run);
    let ended = match cx.deadline() {
        Some(deadline) => match tokio::time::timeout_at(deadline, run).await {
            Ok(ended) => ended,
            Err(_) => {
                return Err(Error::at(Stage::Timeout, "timeout", "the call took longer than its deadline").retryable());
            }
        },
        None => run.await,
    };
    ended.unwrap_or_else(|| Err(Error::at(Stage::Cancelled, "cancelled", "the call was cancelled")))
}

/// The end of a run whose client answers a question by calling again; no failure, and never sent.
fn suspended() -> Error {
    Error::at(Stage::Cancelled, INPUT_REQUIRED, "the node waits for an answer of the client")
}

/// Whether this is such an end.
pub(super) fn is_question(error: &Error) -> bool {
    error.kind() == INPUT_REQUIRED && error.stage() == Stage::Cancelled
}

/// One line a call; arguments and results stay out of it.
pub(super) fn log(error: Option<&Error>, duration: Duration) {
    // Whole microseconds: more digits are noise.
    let duration_ms = (duration.as_secs_f64() * 1e6).round() / 1e3;
    let Some(error) = error else {
        tracing::info!(outcome = "ok", duration_ms);
        return;
    };
    let (stage, kind) = (error.stage().as_str(), error.kind());
    if is_question(error) {
        tracing::info!(outcome = kind, duration_ms);
        return;
    }
    // Findings quote what was sent or returned, which is the caller's to read alone.
    let found = error.findings().first();
    let pointer = found.map(Finding::declared_place);
    let detail = pointer.is_none().then(|| error.message());
    if let Some(found) = found {
        tracing::debug!(pointer = found.pointer.as_str(), "refused");
    }
    // A declared error is its own cause; only what it does not say itself is worth the line.
    let cause = error.cause().map(|cause| chain(cause)).filter(|cause| cause != error.message());
    match error.stage() {
        // The caller's mistake, told to the caller.
        Stage::SchemaValidation | Stage::Busy | Stage::Cancelled => {
            tracing::info!(outcome = "error", duration_ms, stage, kind, pointer, detail);
        }
        Stage::InternalRuntime => {
            tracing::error!(outcome = "error", duration_ms, stage, kind, pointer, detail, cause);
        }
        _ => tracing::warn!(outcome = "error", duration_ms, stage, kind, pointer, detail, cause),
    }
}

fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        text.push_str(": ");
        text.push_str(&error.to_string());
        source = error.source();
    }
    text
}
