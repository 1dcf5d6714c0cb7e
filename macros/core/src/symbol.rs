//! Every attribute word, spelled once; parsing, checking and messages use these.

use std::fmt;

use proc_macro2::Ident;

/// A word of our attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Symbol(pub &'static str);

pub(crate) const NODE: Symbol = Symbol("node");
pub(crate) const NODESET: Symbol = Symbol("nodeset");
pub(crate) const RESOURCE: Symbol = Symbol("resource");
pub(crate) const PORT: Symbol = Symbol("port");
pub(crate) const CONFIG: Symbol = Symbol("config");
pub(crate) const DISPLAY: Symbol = Symbol("display");
pub(crate) const CONTAINER: Symbol = Symbol("container");
pub(crate) const STATE: Symbol = Symbol("state");
pub(crate) const ARGUMENT: Symbol = Symbol("argument");
pub(crate) const COMPLETE: Symbol = Symbol("complete");
pub(crate) const OUTPUTS: Symbol = Symbol("outputs");
pub(crate) const OUTPUTS_DERIVE: Symbol = Symbol("Outputs");
pub(crate) const CONTAINER_DERIVE: Symbol = Symbol("Container");
pub(crate) const NODE_ERROR: Symbol = Symbol("node_error");
pub(crate) const NODE_ERROR_DERIVE: Symbol = Symbol("NodeError");
pub(crate) const MESSAGE: Symbol = Symbol("message");
pub(crate) const MESSAGE_DERIVE: Symbol = Symbol("Message");
pub(crate) const EXPOSE: Symbol = Symbol("expose");
pub(crate) const EXPOSE_DERIVE: Symbol = Symbol("Expose");
pub(crate) const SKIP: Symbol = Symbol("skip");

pub(crate) const CRATE: Symbol = Symbol("crate");
pub(crate) const NAME: Symbol = Symbol("name");
pub(crate) const TITLE: Symbol = Symbol("title");
pub(crate) const WIRE: Symbol = Symbol("wire");
pub(crate) const RETRYABLE: Symbol = Symbol("retryable");

pub(crate) const AS_STRING: Symbol = Symbol("as_string");
pub(crate) const NAN: Symbol = Symbol("nan");
pub(crate) const NULL: Symbol = Symbol("null");
pub(crate) const HEADER: Symbol = Symbol("header");
pub(crate) const FULL_SIZE: Symbol = Symbol("full_size");

pub(crate) const READ_ONLY: Symbol = Symbol("read_only");
pub(crate) const DESTRUCTIVE: Symbol = Symbol("destructive");
pub(crate) const IDEMPOTENT: Symbol = Symbol("idempotent");
pub(crate) const OPEN_WORLD: Symbol = Symbol("open_world");
pub(crate) const UNSTABLE: Symbol = Symbol("unstable");
pub(crate) const RAW_SCHEMA: Symbol = Symbol("raw_schema");
pub(crate) const BATCHED: Symbol = Symbol("batched");
pub(crate) const WAIT_MS: Symbol = Symbol("wait_ms");
pub(crate) const CONCURRENCY: Symbol = Symbol("concurrency");
pub(crate) const TASK: Symbol = Symbol("task");
pub(crate) const OPTIONAL: Symbol = Symbol("optional");
pub(crate) const WAITS: Symbol = Symbol("waits");
pub(crate) const FALLBACK: Symbol = Symbol("fallback");

pub(crate) const URI: Symbol = Symbol("uri");
pub(crate) const MIME: Symbol = Symbol("mime");
pub(crate) const TTL_MS: Symbol = Symbol("ttl_ms");
pub(crate) const CACHE_SCOPE: Symbol = Symbol("cache_scope");
pub(crate) const PUBLIC: Symbol = Symbol("public");
pub(crate) const PRIVATE: Symbol = Symbol("private");
pub(crate) const META: Symbol = Symbol("meta");
pub(crate) const ICONS: Symbol = Symbol("icons");
pub(crate) const ICON: Symbol = Symbol("icon");
pub(crate) const SRC: Symbol = Symbol("src");
pub(crate) const SIZE: Symbol = Symbol("size");
pub(crate) const THEME: Symbol = Symbol("theme");
pub(crate) const LIGHT: Symbol = Symbol("light");
pub(crate) const DARK: Symbol = Symbol("dark");

pub(crate) const PREFIX: Symbol = Symbol("prefix");
pub(crate) const INSTRUCTIONS: Symbol = Symbol("instructions");
pub(crate) const PARALLELISM: Symbol = Symbol("parallelism");
pub(crate) const SHARED: Symbol = Symbol("shared");
pub(crate) const REPLICATED: Symbol = Symbol("replicated");
pub(crate) const EXCLUSIVE: Symbol = Symbol("exclusive");
pub(crate) const ALL: Symbol = Symbol("all");
pub(crate) const MODERN: Symbol = Symbol("modern");
pub(crate) const REJECT: Symbol = Symbol("reject");
pub(crate) const SESSIONS: Symbol = Symbol("sessions");
pub(crate) const NONE: Symbol = Symbol("none");
pub(crate) const KEPT: Symbol = Symbol("kept");
pub(crate) const REQUIRED: Symbol = Symbol("required");
pub(crate) const SHOW_ERRORS: Symbol = Symbol("show_errors");
pub(crate) const COERCE: Symbol = Symbol("coerce");
pub(crate) const NODES: Symbol = Symbol("nodes");
pub(crate) const RESOURCES: Symbol = Symbol("resources");
pub(crate) const PROMPTS: Symbol = Symbol("prompts");
pub(crate) const PANEL: Symbol = Symbol("panel");
pub(crate) const PANEL_TOOLS: Symbol = Symbol("panel_tools");
pub(crate) const CONTAINERS: Symbol = Symbol("containers");
pub(crate) const PAGE_SIZE: Symbol = Symbol("page_size");
pub(crate) const LINKED: Symbol = Symbol("linked");

pub(crate) const ID: Symbol = Symbol("id");
pub(crate) const LIFETIME: Symbol = Symbol("lifetime");
pub(crate) const RESET_ON: Symbol = Symbol("reset_on");
pub(crate) const INITIAL: Symbol = Symbol("initial");
pub(crate) const MAX_SIZE: Symbol = Symbol("max_size");
pub(crate) const VALUE_TYPE: Symbol = Symbol("value_type");
pub(crate) const FOREVER: Symbol = Symbol("forever");
pub(crate) const EPISODE: Symbol = Symbol("episode");
pub(crate) const RUN: Symbol = Symbol("run");
pub(crate) const CUSTOM: Symbol = Symbol("custom");

pub(crate) const SELECT: Symbol = Symbol("select");
pub(crate) const SLIDER: Symbol = Symbol("slider");
pub(crate) const TOGGLE: Symbol = Symbol("toggle");
pub(crate) const NUMBER: Symbol = Symbol("number");
pub(crate) const TEXT: Symbol = Symbol("text");
pub(crate) const TEXTAREA: Symbol = Symbol("textarea");
pub(crate) const DEFAULT: Symbol = Symbol("default");
pub(crate) const LABEL: Symbol = Symbol("label");
pub(crate) const PLACEHOLDER: Symbol = Symbol("placeholder");
pub(crate) const SECTION: Symbol = Symbol("section");
pub(crate) const MIN: Symbol = Symbol("min");
pub(crate) const MAX: Symbol = Symbol("max");
pub(crate) const STEP: Symbol = Symbol("step");
pub(crate) const MODEL: Symbol = Symbol("model");
pub(crate) const PROMPT: Symbol = Symbol("prompt");
pub(crate) const WIRING: Symbol = Symbol("wiring");
pub(crate) const PERSIST: Symbol = Symbol("persist");
pub(crate) const ON_CARD: Symbol = Symbol("on_card");
pub(crate) const UNSET_LABEL: Symbol = Symbol("unset_label");

pub(crate) const IMAGE_VIEWER: Symbol = Symbol("image_viewer");
pub(crate) const LOG_LIST: Symbol = Symbol("log_list");
pub(crate) const METRIC_TABLE: Symbol = Symbol("metric_table");
pub(crate) const MAX_VISIBLE: Symbol = Symbol("max_visible");
pub(crate) const ACCUMULATE: Symbol = Symbol("accumulate");

// Attributes of the language and of serde that are read, or need an answer, on our items.
pub(crate) const CFG: Symbol = Symbol("cfg");
pub(crate) const CFG_ATTR: Symbol = Symbol("cfg_attr");
#[cfg(any(feature = "file", test))]
pub(crate) const DERIVE: Symbol = Symbol("derive");
pub(crate) const DOC: Symbol = Symbol("doc");
pub(crate) const DEPRECATED: Symbol = Symbol("deprecated");
pub(crate) const SINCE: Symbol = Symbol("since");
pub(crate) const NOTE: Symbol = Symbol("note");
pub(crate) const SERDE: Symbol = Symbol("serde");
pub(crate) const RENAME: Symbol = Symbol("rename");

/// The widgets of `wire.md` 3 that carry a value.
pub(crate) const WIDGETS: &[Symbol] = &[SELECT, SLIDER, TOGGLE, NUMBER, TEXT, TEXTAREA];

/// The display widgets of `wire.md` 3.
pub(crate) const DISPLAYS: &[Symbol] = &[IMAGE_VIEWER, LOG_LIST, METRIC_TABLE];

/// The wire types of `wire.md` 1.
pub(crate) const WIRE_TYPES: &[Symbol] = &[
    Symbol("IMAGE"),
    Symbol("DEPTH"),
    Symbol("POSE"),
    Symbol("DISCRETE_ACTION"),
    Symbol("CONTROL"),
    Symbol("TEXT"),
    Symbol("BOOL"),
    Symbol("METRICS"),
    Symbol("ANY"),
];

/// Their older spellings, which are accepted and never proposed.
pub(crate) const OLDER_WIRE_TYPES: &[Symbol] =
    &[Symbol("ACTION"), Symbol("OBSERVATION"), Symbol("STEP_RESULT"), Symbol("STATE")];

/// What the manifest calls the values of a state (`wire.md` 5).
pub(crate) const VALUE_TYPES: &[Symbol] = &[
    Symbol("TEXT"),
    Symbol("BOOL"),
    Symbol("METRICS"),
    Symbol("POSE"),
    Symbol("IMAGE"),
    Symbol("POINTCLOUD"),
    Symbol("OCCUPANCY_MAP"),
    Symbol("EMBEDDING"),
    Symbol("EPISODE_CONTEXT"),
    Symbol("ANY"),
];

/// First path segments of the server, which no nodeset can take (`wire.md` 2).
pub(crate) const ROUTES: &[Symbol] = &[
    Symbol("call"),
    Symbol("containers"),
    Symbol("contract"),
    Symbol("docs"),
    Symbol("env-panel"),
    Symbol("health"),
    Symbol("manifest"),
    Symbol("mcp"),
];

/// The map key that marks an array in JSON (`wire.md` 4.2).
pub(crate) const NDARRAY: Symbol = Symbol("__ndarray__");

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl PartialEq<Symbol> for Ident {
    fn eq(&self, word: &Symbol) -> bool {
        self == word.0
    }
}

/// The words in backticks, for a message.
pub(crate) fn list(words: &[Symbol]) -> String {
    let mut text = String::new();
    for (at, word) in words.iter().enumerate() {
        let before = match at {
            0 => "",
            _ if at + 1 == words.len() => " or ",
            _ => ", ",
        };
        text.push_str(before);
        text.push('`');
        text.push_str(word.0);
        text.push('`');
    }
    text
}

/// The word that `written` most likely means.
pub(crate) fn nearest(written: &str, words: &[Symbol]) -> Option<Symbol> {
    words
        .iter()
        .map(|word| (strsim::damerau_levenshtein(written, word.0), *word))
        // A third of the letters wrong is a guess; more is another word.
        .filter(|(distance, word)| *distance * 3 <= written.len().max(word.0.len()))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, word)| word)
}
