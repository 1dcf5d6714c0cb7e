//! What all faces of a host share: its nodesets, its life, and the one way into a call.

use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::HeaderValue;
use sha2::{Digest, Sha256};
use tokio::time::Instant;

use super::events::Events;
use super::executor::Executor;
use super::kept::Kept;
use super::lifecycle::{Lifecycle, Running};
use super::metrics::Metrics;
use super::options::Options;
use crate::Error;
use crate::call::{
    Asker, Broker, CallEnd, CallEvents, CallObserver, Caller, Cancel, Changes, Containers, Context, End, Execution,
    NODE, Outcome, PROMPT, PanelAnswer, PanelAsk, Partial, RESOURCE, RawArguments, Reply, Runner, Stage, TraceParent,
};
use crate::catalog::{Catalog, Entry, Linked, Made, Names, Prompt, Reference, Resource, Service, Starts};
use crate::contract;
use crate::decl::Sessions;
use crate::session::SharedLeases;
use crate::wire::Value;

/// One nodeset of a host.
pub(super) struct Hosted {
    pub(super) catalog: Arc<Catalog>,
    names: Names,
    /// Made when they are first asked for: few hosts ever are.
    contract: OnceLock<Result<Document, Error>>,
    openapi: OnceLock<Result<Document, Error>>,
    /// As in the contract: `sha256:…`.
    pub(super) hash: String,
    /// The lease of an exclusive nodeset.
    pub(super) lease: Option<SharedLeases>,
    /// Where it says what of it has changed.
    pub(super) changes: Changes,
    /// What it remembers between calls.
    pub(super) containers: Containers,
    /// Whether calls may say more than is declared.
    lenient: bool,
    start: Begin,
    service: OnceLock<Service>,
}

/// How an instance comes about.
enum Begin {
    /// From its settings.
    Linked(Linked, Value),
    /// By the program.
    Made(Starts),
}

impl Hosted {
    /// Reads the declaration; fails when it cannot be served.
    pub(super) fn new(linked: Linked, settings: Value, options: &Options) -> Result<Self, Error> {
        Self::with((linked.catalog)()?, Begin::Linked(linked, settings), options)
    }

    /// The same of a catalog that was made at run time.
    pub(super) fn made(made: Made, options: &Options) -> Result<Self, Error> {
        Self::with(made.catalog, Begin::Made(made.start), options)
    }

    fn with(catalog: Catalog, start: Begin, options: &Options) -> Result<Self, Error> {
        let hash = contract::hash(&catalog)?;
        let containers = catalog.keep(options.max_keys)?;
        let lease = catalog.is_exclusive().then(|| SharedLeases::new(1, options.idle_timeout));
        Ok(Self {
            names: Names::of(&catalog),
            catalog: Arc::new(catalog),
            contract: OnceLock::new(),
            openapi: OnceLock::new(),
            hash,
            lease,
            changes: Changes::open(),
            containers,
            lenient: options.reference,
            start,
            service: OnceLock::new(),
        })
    }

    pub(super) fn name(&self) -> &str {
        &self.catalog.name
    }

    /// The entry of this full name.
    pub(super) fn entry(&self, full_name: &str) -> Option<&Entry> {
        self.catalog.entries.get(self.names.place(full_name)?)
    }

    /// The contract document.
    pub(super) fn contract(&self) -> Result<&Document, Error> {
        let made = self.contract.get_or_init(|| Ok(Document::new(contract::document(&self.catalog)?.text)));
        made.as_ref().map_err(Clone::clone)
    }

    /// The contract in the words of `OpenAPI`.
    pub(super) fn openapi(&self) -> Result<&Document, Error> {
        let made = self.openapi.get_or_init(|| {
            let contract = serde_json::from_slice(&self.contract()?.bytes)?;
            Ok(Document::new(contract::openapi(&contract).to_string()))
        });
        made.as_ref().map_err(Clone::clone)
    }

    /// Whether clients are told what of it has changed, for which those of the older era need a session.
    pub(super) fn tells_changes(&self) -> bool {
        self.catalog.sessions != Sessions::None
    }

    /// Whether a document of this URI can be watched; what has not started has none.
    pub(super) fn can_watch(&self, uri: &str) -> bool {
        self.service.get().is_some_and(|service| service.can_watch(uri))
    }

    /// Starts the instance; calls are answered with 503 before.
    pub(super) async fn start(&self) -> Result<(), Error> {
        let cx = Context::new(Caller { face: "local", ..Caller::default() })
            .with_changes(self.changes.clone())
            .with_containers(self.containers.clone());
        let runner: Arc<dyn Runner> = match &self.start {
            Begin::Linked(linked, settings) => Arc::from((linked.start)(settings.clone(), &cx).await?),
            Begin::Made(start) => start(&cx),
        };
        let service = Service::new(self.catalog.clone(), runner)?;
        let service = if self.lenient { service.lenient() } else { service };
        // A host starts each nodeset once, so the cell is empty. What stands in it is stopped, also where a node does not get
        // ready; calls wait until all have.
        self.service.get_or_init(|| service).runner().prepare(&cx).await
    }

    /// Stops the instance, if it had started.
    pub(super) async fn stop(&self) -> End {
        match self.service.get() {
            Some(service) => service.runner().stop().await,
            None => End::Stopped,
        }
    }
}

impl Drop for Hosted {
    /// A router that was mounted elsewhere ends with its application, which calls nothing here.
    fn drop(&mut self) {
        if let (Some(service), Ok(runtime)) = (self.service.take(), tokio::runtime::Handle::try_current()) {
            runtime.spawn(async move { service.runner().stop().await });
        }
    }
}

/// Everything that the faces of one host share.
pub(super) struct Server {
    pub(super) nodesets: Vec<Arc<Hosted>>,
    pub(super) life: Lifecycle,
    pub(super) options: Options,
    pub(super) metrics: Arc<Metrics>,
    /// What goes wrong is told to the executor, where there is one.
    pub(super) events: Option<Arc<Events>>,
    observer: Arc<dyn CallObserver>,
    pub(super) since: Instant,
    /// Who has the containers that calls are lent.
    pub(super) broker: Option<Arc<dyn Broker>>,
    /// What results left out.
    pub(super) kept: Kept,
}

impl Server {
    pub(super) fn new(
        nodesets: Vec<Arc<Hosted>>,
        options: Options,
        executor: Option<Executor>,
        events: Option<Arc<Events>>,
    ) -> Self {
        let life = Lifecycle::new(options.max_in_flight);
        let metrics = Arc::new(Metrics::new(&nodesets));
        let observer: Arc<dyn CallObserver> = match &events {
            Some(events) => {
                events.of(&nodesets);
                Arc::new(Both(metrics.clone(), events.clone()))
            }
            None => metrics.clone(),
        };
        let broker = executor.map(|executor| Arc::new(executor) as Arc<dyn Broker>);
        Self {
            nodesets,
            life,
            options,
            metrics,
            events,
            observer,
            since: Instant::now(),
            broker,
            kept: Kept::default(),
        }
    }

    /// Calls a function of `hosted`, and makes of its reply what the face sends; every face ends here.
    ///
    /// Dropping the future cancels the call, as does `cancelled`.
    pub(super) async fn call<T: Send + 'static>(
        &self,
        hosted: &Hosted,
        function: &str,
        arguments: Result<RawArguments, Error>,
        call: Incoming<impl Future<Output = ()>>,
        dress: impl FnOnce(&Entry, Reply) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let Begun { service, cx, token, cancelled, running: _running } =
            self.begin(hosted, Some((NODE, function)), call)?;
        ended(service.call_as(function, arguments, &cx, dress), &token, cancelled).await
    }

    /// Reads a resource of `hosted`, of this full name, by its URI.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        hosted: &Hosted,
        (name, uri): (&str, &str),
        call: Incoming<impl Future<Output = ()>>,
        dress: impl FnOnce(&Resource, Reply) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let Begun { service, cx, token, cancelled, running: _running } =
            self.begin(hosted, Some((RESOURCE, name)), call)?;
        ended(service.read_as(uri, &cx, dress), &token, cancelled).await
    }

    /// Makes the messages of a prompt of `hosted`.
    pub(super) async fn prompt<T: Send + 'static>(
        &self,
        hosted: &Hosted,
        prompt: &str,
        arguments: Result<RawArguments, Error>,
        call: Incoming<impl Future<Output = ()>>,
        dress: impl FnOnce(&Prompt, Reply) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let Begun { service, cx, token, cancelled, running: _running } =
            self.begin(hosted, Some((PROMPT, prompt)), call)?;
        ended(service.prompt_as(prompt, arguments, &cx, dress), &token, cancelled).await
    }

    /// What an argument of a prompt or of a template could become.
    pub(super) async fn complete(
        &self,
        hosted: &Hosted,
        reference: Reference<'_>,
        partial: &Partial,
        call: Incoming<impl Future<Output = ()>>,
    ) -> Result<Vec<String>, Error> {
        let Begun { service, cx, token, cancelled, running: _running } = self.begin(hosted, None, call)?;
        ended(service.complete(reference, partial, &cx), &token, cancelled).await
    }

    /// Asks the panel of `hosted`.
    pub(super) async fn panel(&self, hosted: &Hosted, ask: PanelAsk) -> Result<PanelAnswer, Error> {
        let call = Incoming {
            caller: Caller { face: "http", ..Caller::default() },
            events: None,
            asker: None,
            trace: None,
            execution: None,
            // A client that goes away drops this very future.
            cancelled: std::future::pending(),
        };
        let Begun { service, cx, token, cancelled, running: _running } = self.begin(hosted, None, call)?;
        ended(service.panel(ask, &cx), &token, cancelled).await
    }

    /// Tells the executor of a call that could not begin.
    pub(super) fn tell(&self, function: &str, face: &'static str, error: &Error, execution: Option<&str>) {
        let Some(events) = &self.events else { return };
        events.ended(&CallEnd {
            function,
            part: NODE,
            face,
            outcome: Outcome::Failed(error.stage()),
            duration: Duration::ZERO,
            error: Some(error),
            execution,
        });
    }

    /// Lets a call in, and gives it its context; one that is counted is so by what it is of and its full name.
    fn begin<'a, C>(
        &'a self,
        hosted: &'a Hosted,
        counted: Option<(&'static str, &str)>,
        call: Incoming<C>,
    ) -> Result<Begun<'a, C>, Error> {
        // No account is opened for a call that cannot begin, so it is counted here.
        let refused = |error: Error| {
            if let Some((part, function)) = counted {
                self.metrics.refused((part, function), call.caller.face, error.stage());
                self.tell(function, call.caller.face, &error, call.execution.as_deref().map(|own| own.id.as_str()));
            }
            error
        };
        let running = self.life.enter().map_err(refused)?;
        let Some(service) = hosted.service.get() else {
            let starting = Error::at(Stage::Busy, "starting", "the nodeset is starting").retry_after(1);
            return Err(refused(starting));
        };
        let token = Cancel::below(self.life.calls().clone());
        let mut cx = Context::of_call(call.caller, token.clone())
            .with_trace(call.trace)
            .with_changes(hosted.changes.clone())
            .with_containers(hosted.containers.clone())
            .with_execution(call.execution)
            .with_observer(self.observer.clone());
        if let Some(limit) = self.options.call_timeout {
            cx = cx.with_timeout(limit);
        }
        if let Some(events) = call.events {
            cx = cx.with_events(events);
        }
        if let Some(asker) = call.asker {
            cx = cx.with_asker(asker);
        }
        Ok(Begun { service, cx, token, cancelled: call.cancelled, running })
    }
}

/// Who counts calls, and who tells the executor of those that fail.
struct Both(Arc<Metrics>, Arc<Events>);

impl CallObserver for Both {
    fn begun(&self, function: &str, part: &'static str) {
        self.0.begun(function, part);
    }

    fn ended(&self, end: &CallEnd<'_>) {
        self.0.ended(end);
        self.1.ended(end);
    }
}

/// A call that was let in.
struct Begun<'a, C> {
    service: &'a Service,
    cx: Context,
    token: Cancel,
    cancelled: C,
    running: Running<'a>,
}

/// The end of a call, which `cancelled` brings about.
async fn ended<T>(
    call: impl Future<Output = Result<T, Error>>,
    token: &Cancel,
    cancelled: impl Future<Output = ()>,
) -> Result<T, Error> {
    let mut call = pin!(call);
    tokio::select! {
        ended = &mut call => ended,
        () = cancelled => {
            token.cancel();
            call.await
        }
    }
}

/// What a face knows of a call beside its arguments.
pub(super) struct Incoming<C> {
    pub(super) caller: Caller,
    pub(super) events: Option<Arc<dyn CallEvents>>,
    /// Who puts the node's questions to the caller, where that one can be asked.
    pub(super) asker: Option<Arc<dyn Asker>>,
    pub(super) trace: Option<TraceParent>,
    /// The execution of a graph that it is part of.
    pub(super) execution: Option<Arc<Execution>>,
    /// Completes when the caller wants the call no longer.
    pub(super) cancelled: C,
}

/// A document that is made once and served as it is.
#[derive(Clone, Debug)]
pub(super) struct Document {
    pub(super) bytes: Bytes,
    pub(super) etag: HeaderValue,
}

impl Document {
    /// A document with the hash of its bytes as its tag.
    pub(super) fn new(bytes: impl Into<Bytes>) -> Self {
        let bytes = bytes.into();
        let hash = STANDARD.encode(Sha256::digest(&bytes));
        // Base64 is ASCII, so the fallback is out of reach; it merely never matches.
        let etag = HeaderValue::from_str(&format!("\"{hash}\"")).unwrap_or(HeaderValue::from_static("\"\""));
        Self { bytes, etag }
    }
}
