//! The tools of a face as rmcp asks for them.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, CancelledNotificationParam, CustomRequest,
    CustomResult, DiscoverResult, ErrorCode, ErrorData, InputResponses, JsonObject, ListToolsResult, LoggingLevel,
    PaginatedRequestParams, ProtocolVersion, RequestId, ServerConfig, SetLevelRequestParams, Tool,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{RoleServer, ServerHandler};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::asking::{Asking, Origin, Outcome};
use super::published::{Published, Transport};
use super::{content, events, lease, lock};
use crate::Error;
use crate::call::{Caller, RawArguments, TraceParent};
use crate::serve::edge::Principal;
use crate::serve::error::traceparent;
use crate::serve::server::{Hosted, Incoming};
use crate::wire::{Regime, Value};

/// Tools of one page.
const PAGE: usize = 100;
/// How long a list may be kept; it changes only with the binary.
const TTL_MS: u64 = 300_000;
/// Methods whose parameters rmcp could not read end as "custom requests".
const KNOWN_METHODS: [&str; 6] =
    ["initialize", "tools/call", "tools/list", "logging/setLevel", "server/discover", "ping"];

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
        let cancelled = self.cancellation(cx);
        let level = cx.meta.log_level().or_else(|| *lock(&self.client.level));
        let (events, forward) = events::wanted(&cx.peer, &cx.meta, level).unzip();
        let principal = principal(cx).map(str::to_owned);
        let incoming = Incoming {
            caller: Caller { face: self.published.transport.as_str(), principal, regime: Regime::Json },
            events,
            asker: asking.asker(),
            trace: trace(cx),
            cancelled: cancelled.token.clone().cancelled_owned(),
        };
        let arguments = arguments(sent);
        let result = self.published.server.call(hosted, &request.name, arguments, incoming, content::success).await;
        if let Some(forward) = forward {
            forward.finish().await;
        }
        result
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

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        self.published.info.clone()
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(self.published.versions())
    }

    async fn discover(&self, _: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        let result = DiscoverResult::from_server_info(self.published.versions().to_vec(), self.get_info());
        Ok(result.with_ttl_ms(TTL_MS).with_cache_scope(self.cache_scope()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.published.tool(name).cloned()
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = &self.published.tools;
        let start = match request.and_then(|request| request.cursor) {
            None => 0,
            Some(cursor) => page_start(&cursor, tools.len())
                .ok_or_else(|| ErrorData::invalid_params("the cursor is not one of this list", None))?,
        };
        let page = tools.iter().skip(start).take(PAGE).cloned().collect();
        let mut result = ListToolsResult::with_all_items(page);
        result.next_cursor = (start + PAGE < tools.len()).then(|| cursor(start + PAGE));
        Ok(result.with_ttl_ms(TTL_MS).with_cache_scope(self.cache_scope()))
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

impl Handler {
    fn cache_scope(&self) -> CacheScope {
        // What a token opens is nobody else's to see.
        if self.published.private { CacheScope::Private } else { CacheScope::Public }
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

fn cursor(start: usize) -> String {
    format!("from-{start}")
}

fn page_start(cursor: &str, tools: usize) -> Option<usize> {
    let start: usize = cursor.strip_prefix("from-")?.parse().ok()?;
    (start > 0 && start < tools && start.is_multiple_of(PAGE)).then_some(start)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn b75_cursors() {
        assert_eq!(page_start(&cursor(100), 250), Some(100));
        assert_eq!(page_start(&cursor(200), 250), Some(200));
        for junk in ["", "from-", "from-0", "from-50", "from-300", "100", "from--1", "from-99999999999999999999"] {
            assert_eq!(page_start(junk, 250), None, "{junk}");
        }
    }
}
