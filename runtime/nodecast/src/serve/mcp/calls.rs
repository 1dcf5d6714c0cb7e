//! A request on its way into the call path: who asks, what ends it, how its client is asked, and whether it becomes a
//! task.

use std::borrow::Cow;
use std::pin::pin;
use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::future::{Either, select};
use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, CreateTaskResult, ErrorCode,
    ErrorData, InputResponses, JsonObject,
};
use rmcp::service::RequestContext;
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

use super::accept::Accepts;
use super::asking::{Asking, Origin, Outcome, TaskAsker, Way};
use super::changes::Watched;
use super::content::Dressed;
use super::events::Forward;
use super::handler::{Handler, Reach};
use super::published::{Published, Transport};
use super::unanswered::Run;
use super::{content, events, lease, lock, tasks};
use crate::Error;
use crate::call::{BoxFuture, Caller, RawArguments, Reply, TraceParent, is_heavy, off_the_workers};
use crate::catalog::Entry;
use crate::decl::TaskMode;
use crate::serve::edge::Principal;
use crate::serve::error::traceparent;
use crate::serve::server::{Hosted, Incoming};
use crate::wire::{Regime, Value};

impl Handler {
    /// Calls a tool, as its client has calls: at once, with questions, or as a task.
    pub(super) async fn answer(
        &self,
        hosted: &Arc<Hosted>,
        mut request: CallToolRequestParams,
        cx: &RequestContext<RoleServer>,
        run: &Run,
    ) -> Result<CallToolResponse, ErrorData> {
        let answers = (request.input_responses.take(), request.request_state.take());
        let asking = self.asking(cx, "tools/call", &request.name, request.arguments.as_ref(), answers)?;
        let knows_tasks = cx.client_capabilities().is_some_and(|client| client.supports_tasks());
        let task = hosted.entry(&request.name).and_then(|entry| entry.task);
        match task {
            Some(mode) if knows_tasks => return self.as_task(mode, hosted, request, &asking, cx),
            Some(TaskMode::Required) => {
                let required = ClientCapabilities::builder().enable_tasks().build();
                return Err(ErrorData::missing_required_client_capability(required));
            }
            Some(TaskMode::Optional) | None => {}
        }
        let result = self.call(hosted, request, &asking, (cx, run)).await;
        match asking.outcome(result.is_err())? {
            Outcome::Asks(asks) => Ok(asks.into()),
            Outcome::Refused(refusal) => Err(refusal),
            Outcome::Ended => Ok(result.unwrap_or_else(|error| lease::failure(&self.published, hosted, &error)).into()),
        }
    }

    async fn call(
        &self,
        hosted: &Hosted,
        request: CallToolRequestParams,
        asking: &Asking,
        (cx, run): (&RequestContext<RoleServer>, &Run),
    ) -> Result<CallToolResult, Error> {
        let mut sent = request.arguments.unwrap_or_default();
        let _in_flight = lease::begin(&self.published, hosted, &mut sent, cx)?;
        let Arrived { incoming, forward } = self.arrived(cx, run, asking);
        let arguments = arguments(own(sent)).await;
        let result = call(&self.published, hosted, &request.name, arguments, incoming).await.map(Into::into);
        finish(forward).await;
        result
    }

    /// Runs a call as a task where it does not end at once, and does not ask before it has done anything.
    fn as_task(
        &self,
        mode: TaskMode,
        hosted: &Arc<Hosted>,
        request: CallToolRequestParams,
        asking: &Asking,
        cx: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let mut sent = request.arguments.unwrap_or_default();
        let in_flight = match lease::begin(&self.published, hosted, &mut sent, cx) {
            Ok(in_flight) => in_flight,
            Err(error) => return Ok(lease::failure(&self.published, hosted, &error).into()),
        };
        let principal = principal(cx).map(str::to_owned);
        let asker = Arc::new(TaskAsker::new(asking, cx.client_capabilities().unwrap_or_default()));
        let cancelled = CancellationToken::new();
        let incoming = Incoming {
            caller: self.caller(cx),
            events: Some(asker.clone()),
            asker: Some(asker.clone()),
            trace: trace(cx),
            execution: None,
            cancelled: cancelled.clone().cancelled_owned(),
        };
        let (published, hosted, name) = (self.published.clone(), hosted.clone(), request.name);
        let mut running: BoxFuture<'static, _> = Box::pin(async move {
            let _in_flight = in_flight;
            let arguments = arguments(own(sent)).await;
            call(&published, &hosted, &name, arguments, incoming).await.map(CallToolResult::from)
        });
        if let Some(result) = running.as_mut().now_or_never() {
            match asking.outcome(result.is_err())? {
                Outcome::Asks(asks) => return Ok(asks.into()),
                Outcome::Refused(refusal) => return Err(refusal),
                Outcome::Ended if mode == TaskMode::Optional => {
                    return Ok(result.unwrap_or_else(|error| self.published.failure(&error)).into());
                }
                Outcome::Ended => running = Box::pin(std::future::ready(result)),
            }
        }
        let task = self.published.tasks.start(principal, |task| {
            asker.becomes(task.clone());
            Box::pin(async move {
                let result = match select(running, pin!(task.cancelled())).await {
                    Either::Left((result, _)) => result,
                    Either::Right(((), running)) => {
                        cancelled.cancel();
                        running.await
                    }
                };
                tasks::end(result)
            })
        });
        Ok(task.map_or_else(|error| self.published.failure(&error).into(), |task| CreateTaskResult::new(task).into()))
    }

    /// What is known of a request beside its parameters, and what ends with it.
    pub(super) fn arrived(&self, cx: &RequestContext<RoleServer>, run: &Run, asking: &Asking) -> Arrived {
        // What a client has set once is of the older era; in the newer one a request stands alone.
        let set = if is_modern(cx) { None } else { *lock(&self.client.level) };
        let level = cx.meta.log_level().or(set);
        let (events, forward) = events::wanted(&cx.peer, &cx.meta, level).unzip();
        let incoming = Incoming {
            caller: self.caller(cx),
            events,
            asker: asking.asker(),
            trace: trace(cx),
            execution: None,
            cancelled: run.token.clone().cancelled_owned(),
        };
        Arrived { incoming, forward }
    }

    fn caller(&self, cx: &RequestContext<RoleServer>) -> Caller {
        let principal = principal(cx).map(str::to_owned);
        Caller { face: self.published.transport.as_str(), principal, regime: Regime::Json }
    }

    /// How the client of a request is asked; fails for answers that belong to another request.
    pub(super) fn asking(
        &self,
        cx: &RequestContext<RoleServer>,
        method: &'static str,
        name: &str,
        arguments: Option<&JsonObject>,
        answers: (Option<InputResponses>, Option<String>),
    ) -> Result<Asking, ErrorData> {
        let arguments = arguments.map(Cow::Borrowed);
        let origin = Origin { method, name: name.into(), arguments, principal: principal(cx).map(Into::into) };
        let way = match self.reach {
            Reach::Request => Way::None,
            Reach::Lasting => {
                // Over HTTP a question comes in the stream of the answer.
                let accepts = parts(cx).and_then(|parts| parts.extensions.get::<Accepts>());
                if accepts.is_none_or(|accepts| accepts.events) { Way::Session } else { Way::Deaf }
            }
        };
        Asking::new(&self.published.seals, cx, origin, answers, way)
    }

    /// What the client watches, on a session on which changes can be told.
    pub(super) fn watched(&self) -> Result<&Watched, ErrorData> {
        if !self.published.announces_resources() {
            return Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, "this server tells of no changed resource", None));
        }
        match self.reach {
            Reach::Lasting => Ok(self.client.told.watched()),
            Reach::Request => Err(ErrorData::invalid_request("changes are told on a session; initialize one", None)),
        }
    }

    /// A request begins to run. What cancels it differs by era and transport (`mcp.md` 3, step 2).
    pub(super) fn begin(&self, cx: &RequestContext<RoleServer>) -> Run {
        let token = if is_modern(cx) || self.published.transport == Transport::Stdio {
            cx.ct.clone()
        } else {
            // Older era over HTTP: a lost connection is no cancellation, only the client's notice is. rmcp's token fires
            // for both, so it is not used.
            CancellationToken::new()
        };
        self.client.unanswered.run(&cx.id, token)
    }
}

/// A request on its way into the call path.
pub(super) struct Arrived {
    pub(super) incoming: Incoming<WaitForCancellationFutureOwned>,
    pub(super) forward: Option<Forward>,
}

/// Waits until what was said during a call has gone out.
pub(super) async fn finish(forward: Option<Forward>) {
    if let Some(forward) = forward {
        forward.finish().await;
    }
}

/// Calls a tool, and makes of its reply what clients of MCP read.
pub(super) async fn call(
    published: &Arc<Published>,
    hosted: &Hosted,
    tool: &str,
    arguments: Result<RawArguments, Error>,
    call: Incoming<impl Future<Output = ()>>,
) -> Result<Dressed, Error> {
    let (own, principal) = (published.clone(), call.caller.principal.clone());
    let dress = move |entry: &Entry, reply: Reply| {
        let keeper = content::Keeper { kept: &own.server.kept, principal: principal.as_deref() };
        content::success(entry, reply, keeper).map(|dressed| match dressed {
            Dressed::Ports(..) => dressed,
            Dressed::Whole(result) => Dressed::Whole(own.kept_to(result)),
        })
    };
    published.server.call(hosted, tool, arguments, call, dress).await
}

/// The arguments by the rules of JSON, as `/call` reads them.
pub(super) async fn arguments(sent: Vec<(String, Value)>) -> Result<RawArguments, Error> {
    if is_heavy(sent.iter().map(|(_, value)| value), Regime::Json) {
        return off_the_workers(move || read(sent)).await?;
    }
    read(sent)
}

/// All that is wrong, not the first alone.
fn read(mut sent: Vec<(String, Value)>) -> Result<RawArguments, Error> {
    let mut findings = Vec::new();
    for (name, value) in &mut sent {
        match std::mem::take(value).read() {
            Ok(read) => *value = read,
            Err(error) => findings.push(error.under(name).into()),
        }
    }
    if findings.is_empty() { Ok(RawArguments::Flat(sent)) } else { Err(Error::refused(findings)) }
}

/// The same tree in values of ours.
fn own(sent: JsonObject) -> Vec<(String, Value)> {
    sent.into_iter().map(|(name, value)| (name, value.into())).collect()
}

/// Whether the request is of the newer era.
pub(super) fn is_modern(cx: &RequestContext<RoleServer>) -> bool {
    cx.protocol_version().is_some_and(|version| !version.has_initialize())
}

/// The HTTP request behind it; none over stdio.
pub(super) fn parts(cx: &RequestContext<RoleServer>) -> Option<&http::request::Parts> {
    cx.extensions.get::<http::request::Parts>()
}

/// The caller's place in its trace: what the message says, else what its request says.
fn trace(cx: &RequestContext<RoleServer>) -> Option<TraceParent> {
    let said = cx.meta.get_traceparent().and_then(TraceParent::parse);
    said.or_else(|| traceparent(&parts(cx)?.headers))
}

/// Who sent the request, as the edge knows.
pub(super) fn principal(cx: &RequestContext<RoleServer>) -> Option<&str> {
    parts(cx)?.extensions.get::<Principal>()?.0.as_deref()
}

/// The session that it names.
pub(super) fn session(cx: &RequestContext<RoleServer>) -> Option<Arc<str>> {
    parts(cx)?.headers.get(super::SESSION_ID)?.to_str().ok().map(Arc::from)
}
