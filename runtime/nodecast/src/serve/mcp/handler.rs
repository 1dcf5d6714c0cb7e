//! What a face publishes, as rmcp asks for it.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CancelledNotificationParam, CompleteRequestParams,
    CompleteResult, CustomRequest, CustomResult, DiscoverResult, ErrorCode, ErrorData, GetPromptRequestParams,
    GetPromptResponse, InputResponses, JsonObject, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
    ListToolsResult, LoggingLevel, PaginatedRequestParams, ProtocolVersion, ReadResourceRequestParams,
    ReadResourceResponse, RequestId, ServerConfig, SetLevelRequestParams, Tool,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{RoleServer, ServerHandler};
use serde_json::json;
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

use super::asking::{Asking, Origin, Outcome};
use super::events::Forward;
use super::published::{Published, Transport};
use super::{content, events, lease, lock, offers};
use crate::Error;
use crate::call::{Caller, RawArguments, TraceParent};
use crate::serve::edge::Principal;
use crate::serve::error::traceparent;
use crate::serve::server::{Hosted, Incoming};
use crate::wire::{Regime, Value};

/// Methods whose parameters rmcp could not read end as "custom requests".
const KNOWN_METHODS: [&str; 12] = [
    "completion/complete",
    "initialize",
    "logging/setLevel",
    "ping",
    "prompts/get",
    "prompts/list",
    "resources/list",
    "resources/read",
    "resources/templates/list",
    "server/discover",
    "tools/call",
    "tools/list",
];

/// One client's view of the tools: rmcp asks for one a session, and for one a request where there are no sessions.
#[derive(Clone)]
pub(in crate::serve) struct Handler {
    published: Arc<Published>,
    client: Arc<Client>,
    reach: Reach,
}

/// How long the client can be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::serve) enum Reach {
    /// While its request is answered.
    Request,
    /// Beyond, through a session or the process.
    Lasting,
}

/// What a client on a lasting connection has said.
#[derive(Default)]
struct Client {
    /// Its running calls, so that its cancellation finds them.
    running: Mutex<HashMap<RequestId, CancellationToken>>,
    level: Mutex<Option<LoggingLevel>>,
}

impl Handler {
    pub(in crate::serve) fn new(published: Arc<Published>, reach: Reach) -> Self {
        Self { published, client: Arc::default(), reach }
    }

    async fn call(
        &self,
        hosted: &Hosted,
        request: CallToolRequestParams,
        asking: &Asking,
        cx: &RequestContext<RoleServer>,
    ) -> Result<CallToolResult, Error> {
        let mut sent = request.arguments.unwrap_or_default();
        let _in_flight = lease::begin(&self.published, hosted, &mut sent, cx)?;
        let Arrived { incoming, forward, cancellation: _cancellation } = self.arrived(cx, asking);
        let arguments = arguments(sent);
        let result = self.published.server.call(hosted, &request.name, arguments, incoming, content::success).await;
        finish(forward).await;
        result
    }

    /// What is known of a request beside its parameters, and what ends with it.
    fn arrived(&self, cx: &RequestContext<RoleServer>, asking: &Asking) -> Arrived {
        let cancellation = self.cancellation(cx);
        let level = cx.meta.log_level().or_else(|| *lock(&self.client.level));
        let (events, forward) = events::wanted(&cx.peer, &cx.meta, level).unzip();
        let principal = principal(cx).map(str::to_owned);
        let incoming = Incoming {
            caller: Caller { face: self.published.transport.as_str(), principal, regime: Regime::Json },
            events,
            asker: asking.asker(),
            trace: trace(cx),
            cancelled: cancellation.token.clone().cancelled_owned(),
        };
        Arrived { incoming, forward, cancellation }
    }

    /// How the client of a request is asked; fails for answers that belong to another request.
    fn asking(
        &self,
        cx: &RequestContext<RoleServer>,
        method: &'static str,
        name: &str,
        arguments: Option<&JsonObject>,
        answers: (Option<InputResponses>, Option<String>),
    ) -> Result<Asking, ErrorData> {
        let origin = Origin { method, name, arguments, principal: principal(cx) };
        Asking::new(&self.published.seals, cx, &origin, answers, self.reach == Reach::Lasting)
    }

    /// What cancels a call, which differs by era and transport (`mcp.md` 3, step 2).
    fn cancellation(&self, cx: &RequestContext<RoleServer>) -> Cancellation {
        let modern = cx.protocol_version().is_some_and(|version| !version.has_initialize());
        if modern || self.published.transport == Transport::Stdio {
            return Cancellation { token: cx.ct.clone(), registered: None };
        }
        // Older era over HTTP: a lost connection is no cancellation, only the client's notice is. rmcp's token fires
        // for both, so it is not used.
        let token = CancellationToken::new();
        lock(&self.client.running).insert(cx.id.clone(), token.clone());
        Cancellation { token, registered: Some((self.client.clone(), cx.id.clone())) }
    }
}

/// A request on its way into the call path.
struct Arrived {
    incoming: Incoming<WaitForCancellationFutureOwned>,
    forward: Option<Forward>,
    cancellation: Cancellation,
}

/// The token of a call, and its place among the running ones.
struct Cancellation {
    token: CancellationToken,
    registered: Option<(Arc<Client>, RequestId)>,
}

impl Drop for Cancellation {
    fn drop(&mut self) {
        if let Some((client, id)) = &self.registered {
            lock(&client.running).remove(id);
        }
    }
}

/// A page of one of the lists.
macro_rules! listed {
    ($handler:ident, $Result:ident, $list:ident, $request:ident) => {{
        let lists = &$handler.published.lists;
        let (page, next) = lists.page(&lists.$list, $request)?;
        let mut result = $Result::with_all_items(page);
        result.next_cursor = next;
        Ok(result.with_ttl_ms(lists.cache.ttl_ms).with_cache_scope(lists.cache.scope))
    }};
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        self.published.info.clone()
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(self.published.versions())
    }

    async fn discover(&self, _: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        let result = DiscoverResult::from_server_info(self.published.versions().to_vec(), self.get_info());
        let cache = self.published.lists.cache;
        Ok(result.with_ttl_ms(cache.ttl_ms).with_cache_scope(cache.scope))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.published.tool(name).cloned()
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        listed!(self, ListToolsResult, tools, request)
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        listed!(self, ListResourcesResult, resources, request)
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        listed!(self, ListResourceTemplatesResult, templates, request)
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        listed!(self, ListPromptsResult, prompts, request)
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        cx: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let answers = (request.input_responses, request.request_state);
        let asking = self.asking(&cx, "resources/read", &request.uri, None, answers)?;
        let Arrived { incoming, forward, cancellation: _cancellation } = self.arrived(&cx, &asking);
        let result = offers::read(&self.published, &request.uri, incoming).await;
        finish(forward).await;
        match asking.outcome(result.is_err())? {
            Outcome::Asks(asks) => Ok(asks.into()),
            Outcome::Refused(refusal) => Err(refusal),
            Outcome::Ended => result.map(Into::into),
        }
    }

    async fn get_prompt(
        &self,
        mut request: GetPromptRequestParams,
        cx: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let answers = (request.input_responses.take(), request.request_state.take());
        let asking = self.asking(&cx, "prompts/get", &request.name, request.arguments.as_ref(), answers)?;
        let Arrived { incoming, forward, cancellation: _cancellation } = self.arrived(&cx, &asking);
        let result = offers::prompt(&self.published, request, incoming).await;
        finish(forward).await;
        match asking.outcome(result.is_err())? {
            Outcome::Asks(asks) => Ok(asks.into()),
            Outcome::Refused(refusal) => Err(refusal),
            Outcome::Ended => result.map(Into::into),
        }
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        cx: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let Arrived { incoming, forward, cancellation: _cancellation } = self.arrived(&cx, &Asking::Nobody);
        let result = offers::complete(&self.published, request, incoming).await;
        finish(forward).await;
        result
    }

    async fn call_tool(
        &self,
        mut request: CallToolRequestParams,
        cx: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some((hosted, verb)) = self.published.find(&request.name) else {
            let nearest = self.published.nearest(&request.name);
            let data = nearest.map(|nearest| json!({ "nearest": nearest }));
            return Err(ErrorData::invalid_params(content::unknown_tool(&request.name, nearest), data));
        };
        if let Some(verb) = verb {
            let arguments = request.arguments.unwrap_or_default();
            return Ok(lease::answer(&self.published, hosted, verb, &arguments, &cx).into());
        }
        let answers = (request.input_responses.take(), request.request_state.take());
        let asking = self.asking(&cx, "tools/call", &request.name, request.arguments.as_ref(), answers)?;
        let result = self.call(hosted, request, &asking, &cx).await;
        match asking.outcome(result.is_err())? {
            Outcome::Asks(asks) => Ok(asks.into()),
            Outcome::Refused(refusal) => Err(refusal),
            Outcome::Ended => Ok(result.unwrap_or_else(|error| content::failure(&error)).into()),
        }
    }

    async fn set_level(&self, request: SetLevelRequestParams, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        *lock(&self.client.level) = Some(request.level);
        Ok(())
    }

    async fn on_cancelled(&self, notice: CancelledNotificationParam, _: NotificationContext<RoleServer>) {
        let token = notice.request_id.and_then(|id| lock(&self.client.running).get(&id).cloned());
        if let Some(token) = token {
            token.cancel();
        }
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        if KNOWN_METHODS.contains(&request.method.as_str()) {
            let detail = format!("the parameters of {} are not what the protocol says", request.method);
            return Err(ErrorData::invalid_params(detail, None));
        }
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, request.method, None))
    }
}

/// Waits until what was said during a call has gone out.
async fn finish(forward: Option<Forward>) {
    if let Some(forward) = forward {
        forward.finish().await;
    }
}

/// The arguments by the rules of JSON, as `/call` reads them; all that is wrong, not the first alone.
fn arguments(sent: JsonObject) -> Result<RawArguments, Error> {
    let (mut read, mut findings) = (Vec::with_capacity(sent.len()), Vec::new());
    for (name, value) in sent {
        match Value::from_json(value) {
            Ok(value) => read.push((name, value)),
            Err(error) => findings.push(error.under(name).into()),
        }
    }
    if findings.is_empty() { Ok(RawArguments::Flat(read)) } else { Err(Error::refused(findings)) }
}

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

pub(super) fn session(cx: &RequestContext<RoleServer>) -> Option<Arc<str>> {
    parts(cx)?.headers.get(super::SESSION_ID)?.to_str().ok().map(Arc::from)
}
