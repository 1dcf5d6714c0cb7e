//! What the client has said that a new application has to hear too, and what it waits for.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;

use serde_json::{Value, json};

/// The member of `_meta` with which the newer era starts.
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";
const ACKNOWLEDGED: &str = "notifications/subscriptions/acknowledged";
/// The ids of our own requests begin so.
pub(super) const OURS: &str = "nodecast-dev-";

/// A request that waits for its answer.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) id: Value,
    /// The tool and its arguments, where one is called.
    pub(super) call: Option<(String, Value)>,
    /// Whether it asks for the list of tools.
    pub(super) lists: bool,
    /// The document that its session watches once this is answered.
    watches: Option<String>,
    /// What the first line of its result says.
    pub(super) prefix: Option<String>,
}

/// The client, as far as it is known.
#[derive(Debug, Default)]
pub(super) struct Client {
    /// The parameters of its handshake; none in the newer era.
    pub(super) initialize: Option<Value>,
    /// Its level of log messages.
    pub(super) level: Option<Value>,
    watched: BTreeSet<String>,
    /// The subscriptions of the newer era, by the text of their ids.
    listens: BTreeMap<String, Listen>,
    pending: BTreeMap<String, Pending>,
}

/// A subscription of the newer era.
#[derive(Debug)]
struct Listen {
    request: Value,
    /// What of its filter the application has acknowledged; the client has heard that.
    acknowledged: Option<Value>,
    /// A new application is about to acknowledge it once more.
    again: bool,
}

impl Client {
    /// Reads what a message changes.
    pub(super) fn heard(&mut self, message: &Value) {
        let params = message.get("params").cloned().unwrap_or_default();
        let uri = params.get("uri").and_then(Value::as_str).map(str::to_owned);
        match (message.get("method").and_then(Value::as_str), uri) {
            (Some("initialize"), _) => self.initialize = Some(params),
            (Some("logging/setLevel"), _) => self.level = Some(params),
            (Some("resources/unsubscribe"), Some(uri)) => drop(self.watched.remove(&uri)),
            (Some("subscriptions/listen"), _) => {
                if let Some(id) = message.get("id") {
                    let listen = Listen { request: message.clone(), acknowledged: None, again: false };
                    self.listens.insert(id.to_string(), listen);
                }
            }
            (Some("notifications/cancelled"), _) => {
                if let Some(id) = params.get("requestId") {
                    self.listens.remove(&id.to_string());
                    self.pending.remove(&id.to_string());
                }
            }
            _ => {}
        }
    }

    /// A request goes to the application; a subscription is not waited for.
    pub(super) fn waits(&mut self, message: &Value, prefix: Option<String>) {
        let (Some(id), Some(method)) = (message.get("id"), message.get("method").and_then(Value::as_str)) else {
            return;
        };
        if method == "subscriptions/listen" {
            return;
        }
        let call = (method == "tools/call").then(|| {
            let name = message.pointer("/params/name").and_then(Value::as_str).unwrap_or_default();
            (name.to_owned(), message.pointer("/params/arguments").cloned().unwrap_or_default())
        });
        let uri = || message.pointer("/params/uri").and_then(Value::as_str).map(str::to_owned);
        let watches = if method == "resources/subscribe" { uri() } else { None };
        let lists = method == "tools/list";
        self.pending.insert(id.to_string(), Pending { id: id.clone(), call, lists, watches, prefix });
    }

    /// The request that a message answers.
    pub(super) fn answered(&mut self, message: &Value) -> Option<Pending> {
        if message.get("method").is_some() {
            return None;
        }
        let id = message.get("id")?.to_string();
        self.listens.remove(&id);
        let mut pending = self.pending.remove(&id)?;
        if let Some(uri) = pending.watches.take().filter(|_| message.get("result").is_some()) {
            self.watched.insert(uri);
        }
        Some(pending)
    }

    /// All that waits, when nobody will answer it any more.
    pub(super) fn abandoned(&mut self) -> Vec<Pending> {
        mem::take(&mut self.pending).into_values().collect()
    }

    /// Whether an answer is on its way; who waits for a version may wait for long.
    pub(super) fn is_answered_soon(&self) -> bool {
        let is_soon = |pending: &Pending| pending.call.as_ref().is_none_or(|(tool, _)| tool.as_str() != "wait_version");
        self.pending.values().any(is_soon)
    }

    /// A request of ours in the client's era.
    pub(super) fn request(&self, id: &str, method: &str, mut params: Value) -> Value {
        if self.initialize.is_none()
            && let Some(params) = params.as_object_mut()
        {
            let meta = json!({ VERSION: "2026-07-28", CAPABILITIES: {} });
            params.insert("_meta".to_owned(), meta);
        }
        json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
    }

    /// What it watches on its session.
    pub(super) fn watched(&self) -> impl Iterator<Item = &String> {
        self.watched.iter()
    }

    /// Its subscriptions, as it asked for them, to be asked for again.
    pub(super) fn listens_again(&mut self) -> Vec<Value> {
        let again = |listen: &mut Listen| {
            listen.again = listen.acknowledged.is_some();
            listen.request.clone()
        };
        self.listens.values_mut().map(again).collect()
    }

    /// The notes about a new application: that what is watched has changed, and the list of tools where it has.
    pub(super) fn notes(&self, tools: bool) -> Vec<Value> {
        let note = |method: &str, params: Value| json!({ "jsonrpc": "2.0", "method": method, "params": params });
        let mut notes = Vec::new();
        notes.extend(self.watched.iter().map(|uri| note("notifications/resources/updated", json!({ "uri": uri }))));
        if tools && self.initialize.is_some() {
            notes.push(note("notifications/tools/list_changed", json!({})));
        }
        for listen in self.listens.values() {
            // What was not acknowledged is told of by nobody.
            let Some(filter) = &listen.acknowledged else { continue };
            let meta = json!({ SUBSCRIPTION: listen.request.get("id") });
            let watches = filter.get("resourceSubscriptions").and_then(Value::as_array);
            for uri in watches.into_iter().flatten() {
                notes.push(note("notifications/resources/updated", json!({ "uri": uri, "_meta": meta })));
            }
            if tools && filter.get("toolsListChanged") == Some(&Value::Bool(true)) {
                notes.push(note("notifications/tools/list_changed", json!({ "_meta": meta })));
            }
        }
        notes
    }

    /// Whether a message of a new application is for us, or repeats what the client has heard already.
    pub(super) fn is_spared(&mut self, message: &Value) -> bool {
        if message.get("id").and_then(Value::as_str).is_some_and(|id| id.starts_with(OURS)) {
            return true;
        }
        if message.get("method").and_then(Value::as_str) != Some(ACKNOWLEDGED) {
            return false;
        }
        let params = message.get("params");
        let id = params.and_then(|params| params.get("_meta")?.get(SUBSCRIPTION)).map(Value::to_string);
        let Some(listen) = id.and_then(|id| self.listens.get_mut(&id)) else { return false };
        listen.acknowledged = Some(params.and_then(|params| params.get("notifications")).cloned().unwrap_or_default());
        mem::take(&mut listen.again)
    }
}

/// A tool result that says why there is no other one.
pub(super) fn failed(id: &Value, stage: &str, text: &str) -> Value {
    let content = json!([{ "type": "text", "text": text }]);
    let result =
        json!({ "content": content, "isError": true, "_meta": { "nodecast/stage": stage }, "resultType": "complete" });
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

/// Puts a line before the text of a result; says whether there is one.
pub(super) fn put_before(message: &mut Value, line: &str) -> bool {
    let Some(content) = message.pointer_mut("/result/content").and_then(Value::as_array_mut) else { return false };
    match content.first_mut().and_then(|first| first.get_mut("text")) {
        Some(Value::String(text)) => text.insert_str(0, &format!("{line}\n")),
        _ => content.insert(0, json!({ "type": "text", "text": line })),
    }
    true
}
