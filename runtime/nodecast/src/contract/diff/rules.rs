//! The rules by which changes are judged, as a table: each with an id, a class, and what it means for whoever relies on
//! the contract (`contract.md` 4).

use super::subset::Relation;

/// What a change is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// What is accepted and what comes back.
    Wire,
    /// What a call does beside that.
    Behaviour,
    /// What people and models read.
    Words,
    /// What a model pays for reading it. Tokens are counted by whoever has a vocabulary, not here.
    Cost,
    /// How long something may be kept.
    Cache,
}

impl Class {
    /// Its word in documents.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Wire => "wire",
            Self::Behaviour => "behaviour",
            Self::Words => "words",
            Self::Cost => "cost",
            Self::Cache => "cache",
        }
    }
}

/// What a change means for whoever relies on the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Nothing that anybody relies on.
    Info,
    /// Other words: nothing breaks, and models read them.
    Words,
    /// All that worked before still does.
    Compatible,
    /// It would break, if the contract had not said that it may.
    Exempt,
    /// Somebody may notice.
    Warning,
    /// Somebody's use of it fails.
    Breaking,
}

impl Verdict {
    /// Its word in documents.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Words => "words",
            Self::Compatible => "compatible",
            Self::Exempt => "exempt",
            Self::Warning => "warning",
            Self::Breaking => "breaking",
        }
    }
}

/// Which way values flow where something changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// From the caller: it may get wider.
    Input,
    /// To the caller: it may get narrower.
    Output,
}

impl Side {
    /// Its word in documents.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Output => "output",
        }
    }

    /// What it means that the values of the newer schema lie so to those of the older.
    pub(super) fn verdict(self, relation: Relation) -> (Verdict, &'static str) {
        match (self, relation) {
            (_, Relation::Same) => (Compatible, "the same values as before"),
            (Self::Input, Relation::Wider) => (Compatible, "every call that was accepted still is"),
            (Self::Input, _) => (Breaking, "a call that was accepted before may be refused"),
            (Self::Output, Relation::Narrower) => (Compatible, "every answer is one that could be expected before"),
            (Self::Output, _) => (Breaking, "an answer may be one that nobody could expect before"),
        }
    }
}

/// How a rule comes to its verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// By the values that are accepted before and after, and the side.
    ByValues,
    /// Always this one.
    Always(Verdict),
}

/// One rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its name, stable over versions.
    pub id: &'static str,
    /// What its changes are about.
    pub class: Class,
    /// How it judges.
    pub judgement: Judgement,
    /// Why, in a sentence without a full stop.
    pub why: &'static str,
}

macro_rules! rules {
    ($($name:ident $id:literal $class:ident $judgement:expr, $why:literal;)*) => {
        $(pub(super) const $name: Rule =
            Rule { id: $id, class: Class::$class, judgement: $judgement, why: $why };)*
        /// All rules.
        pub const RULES: &[Rule] = &[$($name),*];
    };
}

use Judgement::{Always, ByValues};
use Verdict::{Breaking, Compatible, Info, Warning};

rules! {
    NODESET_RENAMED "nodeset_renamed" Wire Always(Breaking), "paths and settings carry the name";
    PREFIX_CHANGED "prefix_changed" Wire Always(Breaking), "every node is called by another name";
    NODE_ADDED "node_added" Wire Always(Compatible), "nobody calls it yet";
    NODE_REMOVED "node_removed" Wire Always(Breaking), "whoever calls it is refused";
    NODE_RENAMED "node_renamed" Wire Always(Breaking), "whoever calls it by the old name is refused";
    REMOVED_AS_ANNOUNCED "removed_as_announced" Wire Always(Compatible), "it was deprecated for a minor version or more, and the crate removes what was";
    RESULT_CHANGED "result_changed" Wire Always(Breaking), "the result is made in another way";
    FIELD_ADDED "field_added" Wire ByValues, "";
    FIELD_REMOVED "field_removed" Wire ByValues, "";
    FIELD_RENAMED "field_renamed" Wire ByValues, "";
    FIELD_REQUIRED "field_required" Wire ByValues, "";
    FIELD_OPTIONAL "field_optional" Wire ByValues, "";
    OTHER_FIELDS "other_fields" Wire ByValues, "";
    TYPE_CHANGED "type_changed" Wire ByValues, "";
    NULL_ALLOWED "null_allowed" Wire ByValues, "";
    NULL_REFUSED "null_refused" Wire ByValues, "";
    VALUE_ADDED "value_added" Wire ByValues, "";
    VALUE_REMOVED "value_removed" Wire ByValues, "";
    VARIANT_ADDED "variant_added" Wire ByValues, "";
    VARIANT_REMOVED "variant_removed" Wire ByValues, "";
    RANGE_CHANGED "range_changed" Wire ByValues, "";
    LENGTH_CHANGED "length_changed" Wire ByValues, "";
    FORM_CHANGED "form_changed" Wire ByValues, "";
    READING_CHANGED "reading_changed" Wire ByValues, "";
    UNIQUE_CHANGED "unique_changed" Wire ByValues, "";
    SCHEMA_CHANGED "schema_changed" Wire ByValues, "";
    WIRE_TYPE_CHANGED "wire_type_changed" Wire Always(Breaking), "a graph that connects it by its wire type no longer may";
    WIRE_TYPE_OPENED "wire_type_opened" Wire Always(Compatible), "what was connected still may be";
    ERROR_ADDED "error_added" Wire Always(Compatible), "callers treat an error that they do not know as any error";
    ERROR_REMOVED "error_removed" Wire Always(Compatible), "it is only never seen again";
    DEFAULT_CHANGED "default_changed" Behaviour Always(Warning), "a call that leaves it out does something else";
    BECAME_EXCLUSIVE "became_exclusive" Behaviour Always(Breaking), "a second client is turned away, and calls need the lease";
    NO_LONGER_EXCLUSIVE "no_longer_exclusive" Behaviour Always(Breaking), "`acquire`, `release` and the argument `lease` are gone";
    GATE_ADDED "gate_added" Behaviour Always(Breaking), "calls on this face need the lease now";
    GATE_REMOVED "gate_removed" Behaviour Always(Compatible), "calls on this face need no lease any more";
    PARALLELISM_CHANGED "parallelism_changed" Behaviour Always(Warning), "calls that ran at the same time may wait for each other, or the reverse";
    SESSION_REQUIRED "session_required" Behaviour Always(Breaking), "a client without a session is refused";
    SESSION_LOST "session_lost" Behaviour Always(Warning), "subscriptions and questions to clients of the older era need a session";
    SESSION_OFFERED "session_offered" Behaviour Always(Compatible), "clients without a session are served as before";
    ERA_REJECTED "era_rejected" Behaviour Always(Breaking), "clients of the newer era are refused";
    ERA_SERVED "era_served" Behaviour Always(Compatible), "clients of the newer era are served too";
    READ_ONLY_LOST "read_only_lost" Behaviour Always(Breaking), "clients let it run without asking because it changed nothing";
    READ_ONLY_GAINED "read_only_gained" Behaviour Always(Warning), "clients may run it without asking from now on";
    IDEMPOTENT_LOST "idempotent_lost" Behaviour Always(Breaking), "clients repeat a call because that changed nothing more";
    IDEMPOTENT_GAINED "idempotent_gained" Behaviour Always(Compatible), "clients may repeat a call";
    HINT_CHANGED "hint_changed" Behaviour Always(Warning), "clients may ask their user more or less often";
    TASK_REQUIRED "task_required" Behaviour Always(Breaking), "a client without the Tasks extension can call it no more";
    TASK_LOST "task_lost" Behaviour Always(Warning), "a call cannot outlive its request any more";
    TASK_OFFERED "task_offered" Behaviour Always(Compatible), "calls without a task are served as before";
    BATCHING_CHANGED "batching_changed" Behaviour Always(Warning), "single calls are gathered in another way, and wait for another time";
    RETRY_CHANGED "retry_changed" Behaviour Always(Warning), "callers that repeat a failed call do so by this";
    HEADER_CHANGED "header_changed" Behaviour Always(Warning), "clients that keep an old list send another header, or none";
    ROUTING_CHANGED "routing_changed" Behaviour Always(Info), "a hub may order or wait for it differently";
    URI_CHANGED "uri_changed" Wire Always(Breaking), "whoever kept the address finds nothing there";
    MEDIA_TYPE_CHANGED "media_type_changed" Wire Always(Breaking), "a reader of the old type cannot read it";
    OFFER_ADDED "offer_added" Wire Always(Compatible), "nobody uses it yet";
    OFFER_REMOVED "offer_removed" Wire Always(Breaking), "whoever uses it finds nothing";
    OFFER_RENAMED "offer_renamed" Wire Always(Breaking), "whoever uses it by the old name finds nothing";
    CONTAINER_ADDED "container_added" Wire Always(Compatible), "nobody reads or writes it yet";
    CONTAINER_REMOVED "container_removed" Wire Always(Breaking), "whoever reads or writes it finds nothing";
    STATE_ADDED "state_added" Wire Always(Compatible), "nobody reads or writes it yet";
    STATE_REMOVED "state_removed" Wire Always(Breaking), "whoever reads or writes it finds nothing";
    REDUCER_CHANGED "reducer_changed" Behaviour Always(Breaking), "a write does something else";
    MEMORY_CHANGED "memory_changed" Behaviour Always(Warning), "it begins with something else, or is kept for another time";
    PANEL_ADDED "panel_added" Wire Always(Compatible), "nobody sets it yet";
    PANEL_REMOVED "panel_removed" Wire Always(Breaking), "whoever sets it finds nothing";
    PANEL_CHANGED "panel_changed" Wire Always(Warning), "whoever sets it may find other fields and actions";
    COMPLETION_CHANGED "completion_changed" Behaviour Always(Info), "a client may complete it in another way";
    UNSTABLE_GAINED "unstable_gained" Behaviour Always(Warning), "from now on it may change without being called broken";
    UNSTABLE_LOST "unstable_lost" Behaviour Always(Compatible), "from now on it can be relied on";
    DEPRECATED "deprecated" Words Always(Info), "it works as before, and its description says what to use instead";
    DEPRECATION_LIFTED "deprecation_lifted" Words Always(Info), "it is meant to be used again";
    ORDER_CHANGED "order_changed" Words Always(Info), "lists and forms show it in another place";
    DOC_CHANGED "doc_changed" Words Always(Verdict::Words), "models read it";
    TITLE_CHANGED "title_changed" Words Always(Verdict::Words), "people read it";
    INSTRUCTIONS_CHANGED "instructions_changed" Words Always(Verdict::Words), "models read them";
    WIDGET_CHANGED "widget_changed" Words Always(Info), "an editor shows the field in another way";
    MARK_CHANGED "mark_changed" Words Always(Info), "icons and `_meta` are for clients that know them";
    CACHE_CHANGED "cache_changed" Cache Always(Info), "clients keep it for another time";
    PUBLISHED_OTHERWISE "published_otherwise" Words Always(Info), "the contract is the same; this profile shows it in other words";
    UNKNOWN_FACT "unknown_fact" Wire Always(Warning), "this version does not know what it means; a newer one may";
}

/// Rules of what stands in the facts of a field and in its schema, or in several facts of one widget: their rows of one
/// place are one change.
pub(super) const SAID_TWICE: [Rule; 7] =
    [DEFAULT_CHANGED, DEPRECATED, DEPRECATION_LIFTED, DOC_CHANGED, HEADER_CHANGED, TITLE_CHANGED, WIDGET_CHANGED];
