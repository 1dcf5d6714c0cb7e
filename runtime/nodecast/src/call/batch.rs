//! Batches: single calls of one node with equal config share one run (`wire.md` 7).
//!
//! A batch is a task of its own, so it outlives the member that opened it. A member that is cancelled or out of time
//! drops its end of the answer, and with it leaves. This module knows neither the node's type nor its nodeset's.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, Semaphore, oneshot};
use tokio_util::sync::CancellationToken;
use tracing::{Instrument as _, Span};

use super::exported::Exported;
use super::panic::caught;
use super::{Args, BoxFuture, Context, Reply, Stage};
use crate::Error;
use crate::decl::{Batching, NodeDecl, Role};
use crate::wire::{Map, Value};

/// Runs a closed batch on the nodeset.
pub(super) type Run =
    Box<dyn Fn(Vec<Args>, Context) -> BoxFuture<'static, Result<Vec<Result<Reply, Error>>, Error>> + Send + Sync>;

/// The batches of one node.
pub(super) struct Batches {
    node: &'static str,
    limits: Batching,
    /// For each argument, whether it is a config field.
    config: Vec<bool>,
    run: Run,
    open: Mutex<HashMap<String, Arc<Batch>>>,
    /// So many runs of the node at a time as it says, in the order in which its batches closed.
    turns: Semaphore,
}

#[derive(Default)]
struct Batch {
    members: Mutex<Vec<Member>>,
    full: Notify,
}

struct Member {
    args: Args,
    cx: Context,
    /// The span of its call, which a trace links with the batch's.
    span: Span,
    answer: oneshot::Sender<Result<Reply, Error>>,
}

impl Member {
    fn has_left(&self) -> bool {
        self.answer.is_closed()
    }
}

impl Batches {
    pub(super) fn new(node: &NodeDecl, limits: Batching, run: Run) -> Arc<Self> {
        let arguments = node.fields.iter().filter(|field| field.carries_value());
        let config = arguments.map(|field| matches!(field.role, Role::Config(_))).collect();
        Arc::new(Self {
            node: node.name,
            limits,
            config,
            run,
            open: Mutex::default(),
            turns: Semaphore::new(limits.concurrency as usize),
        })
    }

    /// Joins the open batch of this config, or opens one, and waits for the answer.
    pub(super) async fn call(self: &Arc<Self>, args: Args, cx: &Context) -> Result<Reply, Error> {
        let (answer, answered) = oneshot::channel();
        let group = self.group(&args);
        self.join(group, Member { args, cx: cx.clone(), span: Span::current(), answer });
        answered.await.unwrap_or_else(|_| Err(Error::at(Stage::Cancelled, "cancelled", "the batch was cancelled")))
    }

    fn join(self: &Arc<Self>, group: Option<String>, member: Member) {
        let Some(group) = group else {
            // Without a canonical form it equals no other.
            let alone = Batch { members: Mutex::new(vec![member]), full: Notify::new() };
            alone.full.notify_one();
            self.begin(None, Arc::new(alone));
            return;
        };
        let mut open = lock(&self.open);
        let batch = open.entry(group.clone()).or_insert_with(|| {
            let batch = Arc::<Batch>::default();
            self.begin(Some(group.clone()), batch.clone());
            batch
        });
        let mut members = lock(&batch.members);
        members.push(member);
        let max = self.limits.max as usize;
        if members.len() >= max {
            // Who left takes no place.
            members.retain(|member| !member.has_left());
        }
        if members.len() >= max {
            batch.full.notify_one();
            drop(members);
            open.remove(&group);
        }
    }

    fn begin(self: &Arc<Self>, group: Option<String>, batch: Arc<Batch>) {
        let span = tracing::info_span!("batch", node = self.node);
        let batches = self.clone();
        tokio::spawn(async move { batches.live(group, &batch).await }.instrument(span));
    }

    /// The life of a batch: open until it is full or its time is up, then its turn, then its run.
    async fn live(&self, group: Option<String>, batch: &Arc<Batch>) {
        let wait = Duration::from_millis(self.limits.wait_ms.into());
        let _ = tokio::time::timeout(wait, batch.full.notified()).await;
        if let Some(group) = group {
            let mut open = lock(&self.open);
            if open.get(&group).is_some_and(|current| Arc::ptr_eq(current, batch)) {
                open.remove(&group);
            }
        }
        // Nobody closes it.
        let Ok(_turn) = self.turns.acquire().await else { return };
        let mut members = std::mem::take(&mut *lock(&batch.members));
        members.retain(|member| !member.has_left());
        if !members.is_empty() {
            self.run(members).await;
        }
    }

    async fn run(&self, members: Vec<Member>) {
        let token = CancellationToken::new();
        let span = Span::current();
        for member in &members {
            span.follows_from(&member.span);
        }
        let trace = Exported::of(&span, None).trace().cloned();
        let cx = Context::of_batch(members.iter().map(|member| &member.cx), token.clone()).with_trace(trace);
        let _cancel_at_the_end = token.drop_guard();
        let (batch, mut answers): (Vec<_>, Vec<_>) =
            members.into_iter().map(|member| (member.args, member.answer)).unzip();
        tracing::debug!(members = answers.len(), "a batch runs");
        let results = {
            let mut run = std::pin::pin!(Some((self.run)(batch, cx)));
            let run = caught(run.as_mut());
            let all_left = std::pin::pin!(async {
                for answer in &mut answers {
                    answer.closed().await;
                }
            });
            match futures_util::future::select(run, all_left).await {
                futures_util::future::Either::Left((results, _)) => results,
                // Nobody waits any more; the run is dropped.
                futures_util::future::Either::Right(_) => return,
            }
        };
        let results = match results {
            Ok(results) => results,
            Err(error) => answers.iter().map(|_| Err(error.clone())).collect(),
        };
        for (answer, result) in answers.into_iter().zip(results) {
            // Who has left meanwhile misses nothing.
            let _ = answer.send(result);
        }
    }

    /// What equal configs have in common: their canonical JSON.
    fn group(&self, args: &Args) -> Option<String> {
        let config = args.slots().iter().zip(&self.config).filter(|(_, config)| **config);
        let config: Map =
            config.map(|(slot, _)| (slot.name.clone().into_owned(), slot.value.clone().unwrap_or_default())).collect();
        serde_json_canonicalizer::to_string(&Value::Map(config).to_json().ok()?).ok()
    }
}

/// Gives each member its answer: `places` tells those that did not decode, `results` has the others' in order.
pub(super) fn answers(
    places: Vec<Result<(), Error>>,
    expected: usize,
    results: impl ExactSizeIterator<Item = Result<Reply, Error>>,
) -> Vec<Result<Reply, Error>> {
    let detail = format!("the node answered {} of {expected} calls of a batch", results.len());
    let wrong = Error::at(Stage::AdapterExecution, "batch_length", detail);
    // Which answer belongs to whom is anybody's guess when one is missing.
    let count = if results.len() == expected { expected } else { 0 };
    let mut results = results.take(count);
    let answer = |place: Result<(), Error>| place.and_then(|()| results.next().unwrap_or_else(|| Err(wrong.clone())));
    places.into_iter().map(answer).collect()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing panics while it holds one of these.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
