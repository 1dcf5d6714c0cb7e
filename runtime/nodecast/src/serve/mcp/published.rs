//! What a face publishes over MCP: made once, before anything is served.

use std::sync::Arc;

use fnv::FnvHashMap;
use rmcp::model::{
    CallToolResult, ExtensionCapabilities, Implementation, JsonObject, MetaObject, PromptsCapability, ProtocolVersion,
    ResourcesCapability, ServerCapabilities, ServerConfig, TASKS_EXTENSION_ID, Tool, ToolsCapability,
};
use serde_json::Map;

use super::asking::Seals;
use super::changes::Watching;
use super::lists::{self, Lists};
use super::signed::Signature;
use super::tasks::Tasks;
use super::{content, left_out};
use crate::Error;
use crate::call::{Changes, nearest, nearest_named};
use crate::catalog::{Argument, Catalog, Entry};
use crate::contract;
use crate::decl::Sessions;
use crate::serve::lease::Verb;
use crate::serve::options::Options;
use crate::serve::server::{Hosted, Server};

/// The key of `_meta` that carries the hash of the contract (`contract.md` 1).
const CONTRACT: &str = "nodecast/contract";

/// How the client reaches us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::serve) enum Transport {
    /// Streamable HTTP.
    Http,
    /// Standard input and output.
    Stdio,
}

impl Transport {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Http => "mcp",
            Self::Stdio => "stdio",
        }
    }
}

/// The tools of a face with what answers them.
pub(in crate::serve) struct Published {
    pub(super) server: Arc<Server>,
    pub(super) transport: Transport,
    pub(super) nodesets: Vec<Arc<Hosted>>,
    pub(super) lists: Lists,
    pub(super) info: ServerConfig,
    /// How results of the newer era name it.
    pub(super) signature: Signature,
    /// Where the nodesets say what has changed; none where no client is told.
    pub(super) changes: Vec<Changes>,
    /// How much of them is watched.
    pub(super) watching: Watching,
    /// What clients of the newer era carry between the rounds of a call.
    pub(super) seals: Arc<Seals>,
    /// The calls that outlive their request.
    pub(super) tasks: Arc<Tasks>,
    /// Whether the newer era finds its lease, where it needs one.
    modern: bool,
    by_name: FnvHashMap<String, Listed>,
}

/// A tool of the list: where it stands, and what answers it.
struct Listed {
    index: usize,
    hosted: Arc<Hosted>,
    /// Where the runtime itself answers.
    verb: Option<Verb>,
    /// Whether it needs nothing but its arguments.
    plain: bool,
}

impl Published {
    pub(in crate::serve) fn new(
        server: &Arc<Server>,
        nodesets: &[Arc<Hosted>],
        name: &str,
        transport: Transport,
        filter: &Filter,
    ) -> Result<Self, String> {
        let (mut tools, mut by_name) = (Vec::new(), FnvHashMap::default());
        let profile = server.options.profile;
        for hosted in nodesets {
            let names = contract::lease_tools(&hosted.catalog, profile);
            for tool in contract::tools(&hosted.catalog, profile) {
                let verb = names.as_ref().and_then(|names| Verb::of(names, &tool.name));
                // Without the lease no other tool of the nodeset answers.
                if verb.is_some() || filter.lets(&tool.name) {
                    if tool.input_schema.get("type").and_then(|kind| kind.as_str()) != Some("object") {
                        return Err(format!("the arguments of `{}` are no object", tool.name));
                    }
                    let plain = verb.is_none() && hosted.entry(&tool.name).is_some_and(is_plain);
                    by_name
                        .insert(tool.name.clone(), Listed { index: tools.len(), hosted: hosted.clone(), verb, plain });
                    tools.push(lists::tool(tool)?);
                }
            }
        }
        let lists = Lists::new(nodesets, tools, server.options.token_file.is_some())?;
        let info = info(server, nodesets, name, &lists)?;
        Ok(Self {
            server: server.clone(),
            transport,
            nodesets: nodesets.to_vec(),
            signature: Signature::of(&info.server_info),
            info,
            lists,
            seals: Arc::new(Seals::new()?),
            tasks: Arc::default(),
            watching: Watching::default(),
            changes: nodesets
                .iter()
                .filter(|hosted| hosted.tells_changes())
                .map(|hosted| hosted.changes.clone())
                .collect(),
            modern: nodesets.iter().all(|hosted| is_modern(hosted, transport, profile)),
            by_name,
        })
    }

    /// The result of a call that failed.
    pub(super) fn failure(&self, error: &Error) -> CallToolResult {
        self.kept_to(content::failure(error))
    }

    /// The result with nothing of ours where the reference is kept to.
    pub(super) fn kept_to(&self, mut result: CallToolResult) -> CallToolResult {
        if self.server.options.reference {
            result.meta = None;
        }
        result
    }

    /// Whether clients are told of changes.
    pub(super) fn tells_changes(&self) -> bool {
        !self.changes.is_empty()
    }

    /// Whether a document of this URI can be watched.
    pub(super) fn can_watch(&self, uri: &str) -> bool {
        self.lists.reader(uri).is_some_and(|(hosted, _)| hosted.can_watch(uri))
    }

    /// Whether a client is told of a changed resource.
    pub(super) fn announces_resources(&self) -> bool {
        self.info.capabilities.resources.as_ref().is_some_and(|resources| resources.subscribe == Some(true))
    }

    /// The nodeset behind a published tool; with a verb where the tool is the runtime's own.
    pub(super) fn find(&self, tool: &str) -> Option<(&Arc<Hosted>, Option<Verb>)> {
        self.by_name.get(tool).map(|listed| (&listed.hosted, listed.verb))
    }

    /// Whether the tools of this nodeset have the argument `lease`.
    pub(super) fn takes_leases(&self, hosted: &Hosted) -> bool {
        contract::lease_tools(&hosted.catalog, self.server.options.profile).is_some()
    }

    /// Whether a client of the older era gets a session though what it calls is not exclusive.
    pub(super) fn keeps_sessions(&self) -> bool {
        self.by_name.values().any(|listed| listed.hosted.catalog.sessions != Sessions::None)
    }

    /// The nodeset behind a tool that needs nothing but its arguments.
    pub(super) fn plain(&self, name: &str) -> Option<&Arc<Hosted>> {
        self.by_name.get(name).filter(|listed| listed.plain).map(|listed| &listed.hosted)
    }

    pub(super) fn tool(&self, name: &str) -> Option<&Tool> {
        self.by_name.get(name).and_then(|listed| self.lists.tools.get(listed.index))
    }

    /// The tool that was meant by a name that is none.
    pub(super) fn nearest(&self, name: &str) -> Option<&str> {
        nearest_named(name, self.lists.tools.iter().map(|tool| &*tool.name))
    }

    /// The older era always; the newer one where every nodeset serves it.
    pub(in crate::serve) fn versions(&self) -> &'static [ProtocolVersion] {
        let newest = if self.modern { &ProtocolVersion::LATEST } else { &ProtocolVersion::LATEST_WITH_INITIALIZE };
        ProtocolVersion::known_up_to(newest)
    }
}

/// Whether the newer era is served: where one client holds the nodeset, it needs a lease, which a profile may not list;
/// over stdio the process holds it.
fn is_modern(hosted: &Hosted, transport: Transport, profile: contract::Profile) -> bool {
    let has_lease = || contract::lease_tools(&hosted.catalog, profile).is_some();
    !hosted.catalog.modern_rejected && (hosted.lease.is_none() || transport == Transport::Stdio || has_lease())
}

/// `--mcp-tools`: which tools are published.
#[derive(Clone, Debug, Default)]
pub(in crate::serve) struct Filter(Option<Vec<String>>);

impl Filter {
    /// Reads the list; an item that names nothing is an error, since a list without its tool helps nobody.
    ///
    /// Where the reference is kept to, it is a line of the log, and an empty list is all.
    pub(in crate::serve) fn new(options: &Options, nodesets: &[Arc<Hosted>]) -> Result<Self, String> {
        let own = nodesets.iter().filter_map(|hosted| hosted.catalog.lease_names());
        let own: Vec<_> = own.flat_map(|names| [names.acquire, names.release]).collect();
        let entries = nodesets.iter().flat_map(|hosted| &hosted.catalog.entries);
        let names: Vec<&str> = entries.map(|entry| &*entry.full_name).chain(own.iter().map(|name| &**name)).collect();
        let list = options.mcp_tools.as_deref();
        if !options.reference {
            return Self::of_names(list, &names);
        }
        let items = list.unwrap_or_default().split(',').map(str::trim).filter(|item| !item.is_empty());
        let (found, missed): (Vec<_>, Vec<_>) = items.partition(|item| names.iter().any(|name| is_named(name, item)));
        if !missed.is_empty() {
            tracing::warn!(tools = missed.join(","), "--mcp-tools names what is not there");
        }
        // A list of nothing but misses publishes nothing, as the reference does.
        let says_nothing = found.is_empty() && missed.is_empty();
        Ok(Self((!says_nothing).then(|| found.into_iter().map(str::to_owned).collect())))
    }

    /// The same over full names.
    pub(super) fn of_names(list: Option<&str>, names: &[&str]) -> Result<Self, String> {
        let Some(list) = list else { return Ok(Self(None)) };
        let items: Vec<_> = list.split(',').map(str::trim).filter(|item| !item.is_empty()).collect();
        if items.is_empty() {
            return Err("--mcp-tools names no tool; leave it out to publish all, or say --no-mcp".to_owned());
        }
        for item in &items {
            if !names.iter().any(|name| is_named(name, item)) {
                let all = names.iter().flat_map(|name| [*name, last(name)]);
                let hint = match nearest(item, all) {
                    Some(near) => format!("; did you mean `{near}`?"),
                    None => format!("; there are: {}", some(names)),
                };
                return Err(format!("--mcp-tools: there is no tool `{item}`{hint}"));
            }
        }
        Ok(Self(Some(items.into_iter().map(str::to_owned).collect())))
    }

    pub(super) fn lets(&self, name: &str) -> bool {
        self.0.as_ref().is_none_or(|items| items.iter().any(|item| is_named(name, item)))
    }
}

/// So many names as are worth reading.
fn some(names: &[&str]) -> String {
    const MOST: usize = 16;
    let more = names.len().saturating_sub(MOST);
    let shown = names.iter().take(MOST).copied().collect::<Vec<_>>().join(", ");
    if more > 0 { format!("{shown} and {more} more") } else { shown }
}

fn is_named(full_name: &str, item: &str) -> bool {
    full_name == item || last(full_name) == item
}

fn last(full_name: &str) -> &str {
    full_name.rsplit_once("__").map_or(full_name, |(_, last)| last)
}

fn info(server: &Server, nodesets: &[Arc<Hosted>], name: &str, lists: &Lists) -> Result<ServerConfig, String> {
    // Only what there is: clients ask for no list that is not announced.
    let mut capabilities = ServerCapabilities::default();
    capabilities.tools = (!lists.tools.is_empty()).then(ToolsCapability::default);
    let leaves_out = nodesets.iter().flat_map(|hosted| &hosted.catalog.entries).any(left_out::may_be_any);
    let has_resources = !lists.resources.is_empty() || !lists.templates.is_empty() || leaves_out;
    capabilities.resources = has_resources.then(ResourcesCapability::default);
    capabilities.prompts = (!lists.prompts.is_empty()).then(PromptsCapability::default);
    let completes = nodesets.iter().any(|hosted| completes(&hosted.catalog));
    capabilities.completions = completes.then(Map::new);
    let runs_tasks = nodesets.iter().flat_map(|hosted| &hosted.catalog.entries).any(|entry| entry.task.is_some());
    if runs_tasks {
        let tasks = (TASKS_EXTENSION_ID.to_owned(), JsonObject::new());
        capabilities.extensions = Some(ExtensionCapabilities::from([tasks]));
    }
    // Log messages are for clients that ask for them, by request or by `logging/setLevel`.
    capabilities.logging = Some(Map::new());
    let version = match nodesets {
        [one] => one.catalog.version.to_string(),
        _ => env!("CARGO_PKG_VERSION").to_owned(),
    };
    if nodesets.iter().any(|hosted| hosted.tells_changes()) {
        announce(&mut capabilities);
    }
    let mut implementation = Implementation::new(name, version);
    let mut meta = Map::new();
    if let [one] = nodesets {
        implementation.title = one.catalog.title.as_ref().map(ToString::to_string);
        implementation.icons = lists::icons(one.catalog.icons.iter().map(contract::icon).collect())?;
        meta.clone_from(&one.catalog.meta);
        if !server.options.reference {
            meta.insert(CONTRACT.to_owned(), one.hash.as_str().into());
        }
    }
    let mut parts: Vec<String> = nodesets.iter().filter_map(|hosted| instructions(hosted)).collect();
    let is_apart = |hosted: &&Arc<Hosted>| {
        hosted.catalog.is_exclusive() && !nodesets.iter().any(|listed| Arc::ptr_eq(listed, hosted))
    };
    for apart in server.nodesets.iter().filter(is_apart) {
        parts.push(format!("{} is used by one client at a time, under /{}/mcp.", apart.name(), apart.name()));
    }
    let mut info = ServerConfig::new(capabilities).with_server_info(implementation);
    info.meta = (!meta.is_empty()).then(|| MetaObject(meta));
    Ok(if parts.is_empty() { info } else { info.with_instructions(parts.join("\n\n")) })
}

/// Headers that mirror arguments are compared by rmcp, and tasks are its own.
fn is_plain(entry: &Entry) -> bool {
    entry.task.is_none() && entry.inputs.iter().all(|field| field.header.is_none())
}

fn completes(catalog: &Catalog) -> bool {
    let of_resources = catalog.resources.iter().flat_map(|resource| &resource.arguments);
    of_resources.chain(catalog.prompts.iter().flat_map(|prompt| &prompt.arguments)).any(Argument::completes)
}

/// Says that clients are told when a list has changed, of each kind that there is.
fn announce(capabilities: &mut ServerCapabilities) {
    if let Some(tools) = &mut capabilities.tools {
        tools.list_changed = Some(true);
    }
    if let Some(prompts) = &mut capabilities.prompts {
        prompts.list_changed = Some(true);
    }
    if let Some(resources) = &mut capabilities.resources {
        resources.list_changed = Some(true);
        resources.subscribe = Some(true);
    }
}

fn instructions(hosted: &Hosted) -> Option<String> {
    let catalog = &hosted.catalog;
    let text = catalog.instructions.as_deref().unwrap_or(&catalog.doc);
    (!text.is_empty()).then(|| text.to_owned())
}
