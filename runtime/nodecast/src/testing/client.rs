//! A client in the same process: a started nodeset, called as the faces call it.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value as Json;

use crate::Error;
use crate::call::{Caller, Containers, Context, Finding, Nodeset, Partial, RawArguments, Reply, unsaid};
use crate::catalog::{Entry, Linked, MAX_KEYS, Reference, Service};
use crate::contract::{self, Profile, Tool};
use crate::manifest::{self, Limits};
use crate::wire::{self, Map, Regime, Value, WireError};

/// A started nodeset `S` and everything that a client could ask it, without a server between.
///
/// Arguments are checked, defaults filled in, panics caught and replies checked as on every other face. The nodeset
/// stops with [`stop`](Self::stop), or when the client is dropped.
///
/// ```
/// use nodecast::prelude::*;
/// use nodecast::testing::Client;
/// use serde_json::json;
///
/// /// Says hello.
/// #[nodeset(nodes(Hello))]
/// #[derive(Default)]
/// struct Greeter;
///
/// #[node(read_only)]
/// struct Hello {
///     /// Whom to greet.
///     who: String,
/// }
///
/// impl Node<Greeter> for Hello {
///     type Output = String;
///     type Error = Error;
///
///     async fn run(self, _: &Greeter, _: &Context) -> Result<String, Error> {
///         Ok(format!("hello, {}", self.who))
///     }
/// }
///
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// let client = Client::<Greeter>::start(()).await?;
/// assert_eq!(client.call("hello", json!({ "who": "Ada" })).await?, json!({ "result": "hello, Ada" }));
/// assert_eq!(client.call("hello", json!({ "whom": "Ada" })).await.unwrap_err().kind(), "unknown_field");
/// # Ok::<(), Error>(())
/// # }).unwrap();
/// ```
pub struct Client<S> {
    service: Service,
    containers: Containers,
    stopped: bool,
    nodeset: PhantomData<fn() -> S>,
}

impl<S: Nodeset> Client<S> {
    /// Starts `S` with these settings; `()` for none.
    pub async fn start(settings: impl Serialize) -> Result<Self, Error> {
        let settings = wire::to_value(&settings).map_err(refused)?;
        let linked = Linked::of::<S>();
        let catalog = Arc::new((linked.catalog)()?);
        let containers = catalog.keep(MAX_KEYS)?;
        let cx = local(&containers, Regime::Json);
        let runner = (linked.start)(settings, &cx).await?;
        let service = Service::new(catalog, runner.into())?;
        // From here on it is stopped, also where a node does not get ready.
        let client = Self { service, containers, stopped: false, nodeset: PhantomData };
        client.service.runner().prepare(&cx).await?;
        Ok(client)
    }

    /// Calls a node with an object of ports and config fields, and gives its outputs: both as JSON has them.
    ///
    /// `node` is the full name, or the name without the nodeset's prefix. A fire list stands under its key
    /// `__firelist__`.
    pub async fn call(&self, node: &str, arguments: Json) -> Result<Json, Error> {
        let arguments = Value::from_json(arguments).map_err(refused)?;
        let mut body = self.body(node, arguments, Regime::Json, |body| body.to_json().map_err(unsaid)).await?;
        Ok(body.get_mut("outputs").map(Json::take).unwrap_or(body))
    }

    /// The same with values as this regime carries them: in msgpack, pictures, arrays and bytes are themselves.
    pub async fn call_with(&self, node: &str, arguments: impl Into<Value>, regime: Regime) -> Result<Value, Error> {
        let body = self.body(node, arguments.into(), regime, Ok).await?;
        Ok(body.get("outputs").cloned().unwrap_or(body))
    }

    /// Reads a resource by its URI: its contents as JSON has them, a list of objects with `text` or `blob`.
    pub async fn read(&self, uri: &str) -> Result<Json, Error> {
        self.service.read_as(uri, &local(&self.containers, Regime::Json), |_, reply| made(reply)).await
    }

    /// The messages of a prompt, as JSON has them; its arguments are text.
    ///
    /// `prompt` is the full name, or the name without the nodeset's prefix.
    pub async fn prompt(&self, prompt: &str, arguments: &[(&str, &str)]) -> Result<Json, Error> {
        let prompts = &self.service.catalog().prompts;
        let full_name = prompts.iter().find(|known| known.name == prompt).map_or(prompt, |known| &known.full_name);
        let arguments = arguments.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        let arguments = Ok(RawArguments::Spelled(arguments));
        let mut made = self
            .service
            .prompt_as(full_name, arguments, &local(&self.containers, Regime::Json), |_, reply| made(reply))
            .await?;
        Ok(made.get_mut("messages").map(Json::take).unwrap_or_default())
    }

    /// What an argument could become.
    pub async fn complete(&self, reference: Reference<'_>, partial: &Partial) -> Result<Vec<String>, Error> {
        self.service.complete(reference, partial, &local(&self.containers, Regime::Json)).await
    }

    async fn body<T: Send + 'static>(
        &self,
        node: &str,
        arguments: Value,
        regime: Regime,
        dress: impl FnOnce(Value) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let arguments = flat(arguments).map(RawArguments::Flat);
        let dress = move |entry: &Entry, reply: Reply| dress(entry.body(reply, regime)?);
        self.service.call_as(self.full_name(node), arguments, &local(&self.containers, regime), dress).await
    }
}

impl<S> Client<S> {
    /// The call path itself, for a test that wants a context of its own.
    pub fn service(&self) -> &Service {
        &self.service
    }

    /// What the nodeset remembers between calls.
    pub fn containers(&self) -> &Containers {
        &self.containers
    }

    /// The tools of `tools/list`, in order.
    pub fn tools(&self) -> Vec<Tool> {
        contract::tools(self.service.catalog(), Profile::default())
    }

    /// The manifest document, with the limits of a host that was told none.
    pub fn manifest(&self) -> Result<Json, Error> {
        Ok(manifest::document(self.service.catalog(), &contract::hash(self.service.catalog())?, Limits::default()))
    }

    /// The contract document.
    pub fn contract(&self) -> Result<contract::Document, Error> {
        contract::document(self.service.catalog())
    }

    /// Stops the nodeset, and waits until it has.
    pub async fn stop(mut self) {
        self.stopped = true;
        self.service.runner().stop().await;
    }

    fn full_name<'a>(&'a self, node: &'a str) -> &'a str {
        let entries = &self.service.catalog().entries;
        entries.iter().find(|entry| entry.name == node).map_or(node, |entry| &entry.full_name)
    }
}

impl<S> Drop for Client<S> {
    fn drop(&mut self) {
        if let (false, Ok(runtime)) = (self.stopped, tokio::runtime::Handle::try_current()) {
            let runner = self.service.runner().clone();
            runtime.spawn(async move { runner.stop().await });
        }
    }
}

impl<S> fmt::Debug for Client<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("nodeset", &self.service.catalog().name).finish_non_exhaustive()
    }
}

fn made(reply: Reply) -> Result<Json, Error> {
    reply.into_values().pop().unwrap_or_default().to_json().map_err(unsaid)
}

fn local(containers: &Containers, regime: Regime) -> Context {
    Context::new(Caller { face: "local", regime, principal: None }).with_containers(containers.clone())
}

fn flat(arguments: Value) -> Result<Vec<(String, Value)>, Error> {
    let map = match arguments {
        Value::Null => Map::new(),
        Value::Map(map) => map,
        other => {
            let detail = format!("the arguments are {}", other.describe());
            return Err(Error::refused(vec![Finding { kind: "not_a_map", detail, ..Finding::default() }]));
        }
    };
    let named = map.into_iter().map(|(key, value)| match key {
        Value::Text(name) => Ok((name, value)),
        _ => Err(refused(WireError::new("map_key", "names of arguments are text"))),
    });
    named.collect()
}

fn refused(error: WireError) -> Error {
    Error::refused(vec![error.into()])
}
