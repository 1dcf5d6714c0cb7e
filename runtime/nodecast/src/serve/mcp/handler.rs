//! What a face publishes, as rmcp asks for it.

use std::borrow::Cow;
use std::sync::{Arc, Mutex};

use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CancelTaskParams, CompleteRequestParams, CompleteResult,
    CustomRequest, CustomResult, DiscoverResult, ErrorData, GetPromptRequestParams, GetPromptResponse, GetTaskParams,
    GetTaskResult, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, LoggingLevel,
    PaginatedRequestParams, ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse, ServerConfig,
    SetLevelRequestParams, SubscribeRequestParams, SubscriptionFilter, Tool, UnsubscribeRequestParams,
    UpdateTaskParams,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{Peer, RoleServer, ServerHandler};
use serde_json::json;

use super::asking::{Asking, Outcome};
use super::calls::{Arrived, finish, is_modern, principal};
use super::changes::{Entered, Told};
use super::published::Published;
use super::signed::HasMeta;
use super::unanswered::Unanswered;
use super::{changes, content, lease, left_out, lock, methods, offers};

/// One client's view of the tools: rmcp asks for one a session, and for one a request where there are no sessions.
#[derive(Clone)]
pub(in crate::serve) struct Handler {
    pub(super) published: Arc<Published>,
    pub(super) client: Arc<Client>,
    pub(super) reach: Reach,
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
pub(super) struct Client {
    /// Its requests, so that its cancellation finds them.
    pub(super) unanswered: Unanswered,
    pub(super) level: Mutex<Option<LoggingLevel>>,
    pub(super) told: Told,
    /// Of subscriptions that are about to begin.
    entered: Entered,
}

impl Handler {
    pub(in crate::serve) fn new(published: Arc<Published>, reach: Reach, unanswered: Unanswered) -> Self {
        let told = Told::of(published.watching.clone());
        Self { published, client: Arc::new(Client { unanswered, told, ..Client::default() }), reach }
    }

    /// Tells the client of an older session of changes from here on.
    fn tell_changes(&self, peer: Peer<RoleServer>) {
        if self.reach == Reach::Lasting {
            self.client.told.begin(&self.published.changes, peer);
        }
    }

    /// A result as the era of its request has it: the newer one says who answers.
    fn signed<R: HasMeta>(&self, cx: &RequestContext<RoleServer>, result: R) -> R {
        if is_modern(cx) { self.published.signature.on(result) } else { result }
    }

    async fn read(
        &self,
        request: ReadResourceRequestParams,
        cx: &RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        if left_out::is_address(&request.uri) {
            return left_out::read(&self.published.server.kept, &request.uri, principal(cx)).map(Into::into);
        }
        if request.uri == offers::CONTRACT {
            return offers::contract(&self.published).map(Into::into);
        }
        let run = self.begin(cx);
        let answers = (request.input_responses, request.request_state);
        let asking = self.asking(cx, "resources/read", &request.uri, None, answers)?;
        let Arrived { incoming, forward } = self.arrived(cx, &run, &asking);
        let result = offers::read(&self.published, &request.uri, incoming).await;
        finish(forward).await;
        match asking.outcome(result.is_err())? {
            Outcome::Asks(asks) => Ok(asks.into()),
            Outcome::Refused(refusal) => Err(refusal),
            Outcome::Ended if asking.was_answered() => {
                result.map(|read| read.with_ttl_ms(0).with_cache_scope(CacheScope::Private).into())
            }
            Outcome::Ended => result.map(Into::into),
        }
    }

    async fn prompt(
        &self,
        mut request: GetPromptRequestParams,
        cx: &RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let run = self.begin(cx);
        let answers = (request.input_responses.take(), request.request_state.take());
        let asking = self.asking(cx, "prompts/get", &request.name, request.arguments.as_ref(), answers)?;
        let Arrived { incoming, forward } = self.arrived(cx, &run, &asking);
        let result = offers::prompt(&self.published, request, incoming).await;
        finish(forward).await;
        match asking.outcome(result.is_err())? {
            Outcome::Asks(asks) => Ok(asks.into()),
            Outcome::Refused(refusal) => Err(refusal),
            Outcome::Ended => result.map(Into::into),
        }
    }

    async fn tool(
        &self,
        request: CallToolRequestParams,
        cx: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let run = self.begin(cx);
        let Some((hosted, verb)) = self.published.find(&request.name) else {
            let nearest = self.published.nearest(&request.name);
            let data = nearest.map(|nearest| json!({ "nearest": nearest }));
            return Err(ErrorData::invalid_params(content::unknown_tool(&request.name, nearest), data));
        };
        if !is_modern(cx) {
            // Its `initialized` came first and may be read later; the call may change what it lists.
            self.tell_changes(cx.peer.clone());
        }
        if let Some(verb) = verb {
            let arguments = request.arguments.unwrap_or_default();
            return Ok(lease::answer(&self.published, hosted, verb, &arguments, cx).into());
        }
        self.answer(hosted, request, cx, &run).await
    }
}

/// A page of one of the lists.
macro_rules! listed {
    ($handler:ident, $cx:ident, $Result:ident, $list:ident, $request:ident) => {{
        let lists = &$handler.published.lists;
        let (page, next) = lists.page(&lists.$list, $request)?;
        let mut result = $Result::with_all_items(page);
        result.next_cursor = next;
        let result = result.with_ttl_ms(lists.cache.ttl_ms).with_cache_scope(lists.cache.scope);
        Ok($handler.signed(&$cx, result))
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
        cx: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        listed!(self, cx, ListToolsResult, tools, request)
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        cx: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        listed!(self, cx, ListResourcesResult, resources, request)
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        cx: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        listed!(self, cx, ListResourceTemplatesResult, templates, request)
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        cx: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        listed!(self, cx, ListPromptsResult, prompts, request)
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        cx: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let result = self.read(request, &cx).await?;
        Ok(self.signed(&cx, result))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        cx: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let result = self.prompt(request, &cx).await?;
        Ok(self.signed(&cx, result))
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        cx: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let run = self.begin(&cx);
        let Arrived { incoming, forward } = self.arrived(&cx, &run, &Asking::Nobody);
        let result = offers::complete(&self.published, request, incoming).await;
        finish(forward).await;
        result.map(|result| self.signed(&cx, result))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        cx: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let result = self.tool(request, &cx).await?;
        Ok(self.signed(&cx, result))
    }

    async fn get_task(
        &self,
        request: GetTaskParams,
        cx: RequestContext<RoleServer>,
    ) -> Result<GetTaskResult, ErrorData> {
        let task = self.published.tasks.get(&request.task_id, principal(&cx))?;
        Ok(self.signed(&cx, GetTaskResult::new(task)))
    }

    async fn update_task(&self, request: UpdateTaskParams, cx: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        self.published.tasks.update(&request.task_id, request.input_responses, principal(&cx))
    }

    async fn cancel_task(&self, request: CancelTaskParams, cx: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        self.published.tasks.cancel(&request.task_id, principal(&cx))
    }

    async fn set_level(&self, request: SetLevelRequestParams, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        *lock(&self.client.level) = Some(request.level);
        Ok(())
    }

    /// The older era tells of changes on the session, from here on.
    async fn on_initialized(&self, cx: NotificationContext<RoleServer>) {
        self.tell_changes(cx.peer);
    }

    async fn subscribe(&self, request: SubscribeRequestParams, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        let watched = self.watched()?;
        if !self.published.can_watch(&request.uri) {
            return Err(offers::no_resource(&request.uri));
        }
        watched.insert(request.uri)
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.watched()?.remove(&request.uri);
        Ok(())
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        // rmcp takes out what is not announced.
        self.published.tells_changes().then(|| {
            let mut accepted = requested.clone();
            if let Some(watched) = &mut accepted.resource_subscriptions {
                watched.retain(|uri| self.published.can_watch(uri));
            }
            self.client.entered.enter(&self.published.changes, requested.clone(), accepted.clone());
            accepted
        })
    }

    async fn listen(&self, subscription: SubscriptionContext) -> Result<(), ErrorData> {
        let (published, entered) = (&self.published, &self.client.entered);
        changes::to_subscription(&published.changes, &published.watching, entered, &subscription).await
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        cx: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let CustomRequest { method, params, .. } = request;
        if methods::is_of_another_era(&method, is_modern(&cx)) {
            return Err(methods::unknown(&method));
        }
        Err(methods::misread(&method, params.unwrap_or_default()).unwrap_or_else(|| methods::unknown(&method)))
    }
}
