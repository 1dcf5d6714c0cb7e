//! Nodes: which came, went or were renamed, and what changed of those that stayed.

use serde_json::Value as Json;

use super::super::MCP_ONLY;
use super::facts::Pair;
use super::rename::{self, Renamed};
use super::rules::{self, Judgement, Rule, Side};
use super::subset::{Term, is_same};
use super::{Change, Changes, Promises, Verdict, list, schema, text};

/// When something that was there may be gone.
pub(super) struct Removal<'a> {
    /// The version of the newer document.
    pub(super) version: &'a str,
    /// What the crate has said.
    pub(super) promises: Promises,
}

impl Removal<'_> {
    /// Whether a thing was announced to go: deprecated since a minor version before this one.
    pub(super) fn is_announced(&self, old: &Json) -> bool {
        let since = old.get("deprecated").map(|deprecated| text(deprecated, "since")).unwrap_or_default();
        let numbers = |version: &str| {
            let mut numbers = version.split(['.', '-', '+']).map(str::parse::<u64>);
            Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
        };
        let later = || Some(numbers(self.version)? > numbers(since)?);
        self.promises.removes_deprecated && later().unwrap_or(false)
    }
}

const KNOWN: [&str; 20] = [
    "name",
    "full_name",
    "title",
    "doc",
    "hints",
    "unstable",
    "deprecated",
    "batched",
    "task",
    "waits",
    "fallback",
    MCP_ONLY,
    "icons",
    "meta",
    "result",
    "inputs",
    "outputs",
    "errors",
    "input_schema",
    "output_schema",
];

/// Rows for all nodes.
pub(super) fn nodes(old: &Json, new: &Json, removal: &Removal<'_>, changes: &mut Changes) {
    let (olds, news) = (list(old, "nodes"), list(new, "nodes"));
    let find = |nodes: &'_ [Json], name: &str| nodes.iter().position(|node| text(node, "name") == name);
    let names = |nodes: &[Json], others: &[Json]| -> Vec<String> {
        let names = nodes.iter().map(|node| text(node, "name"));
        names.filter(|name| find(others, name).is_none()).map(str::to_owned).collect()
    };
    let (removed, added) = (names(olds, news), names(news, olds));
    let get = |nodes: &'_ [Json], name: &str| find(nodes, name).and_then(|place| nodes.get(place).cloned());
    let renamed = rename::pairs(&removed.iter().collect::<Vec<_>>(), &added.iter().collect::<Vec<_>>(), |old, new| {
        let (Some(old), Some(new)) = (get(olds, old), get(news, new)) else { return false };
        // What was to go is gone, whatever else came.
        !removal.is_announced(&old)
            && ["input_schema", "output_schema"].iter().all(|key| match (old.get(*key), new.get(*key)) {
                (Some(old), Some(new)) => is_same(&Term::document(old), &Term::document(new)),
                (old, new) => old == new,
            })
    });
    for old in olds.iter().filter(|old| removed.iter().any(|name| name == text(old, "name"))) {
        changes.about(text(old, "full_name"));
        let first = changes.rows.len();
        match renamed.iter().find(|pair| pair.old == text(old, "name")) {
            Some(Renamed { old, new }) => changes.add(rules::NODE_RENAMED, "", format!("`{old}` is called `{new}`")),
            None => removed_row(old, rules::NODE_REMOVED, "the node is gone", removal, changes),
        }
        exempt(old, first, changes);
    }
    for new in news {
        let name = text(new, "name");
        changes.about(text(new, "full_name"));
        let was = renamed.iter().find(|pair| pair.new == name).map_or(name, |pair| &pair.old);
        match find(olds, was).and_then(|place| olds.get(place)) {
            Some(old) => node(Pair { old, new }, removal, changes),
            None => changes.add(rules::NODE_ADDED, "", "the node is new".to_owned()),
        }
    }
    let nodeset = new.get("nodeset").map(|nodeset| text(nodeset, "name")).unwrap_or_default();
    changes.about(nodeset);
    Pair { old, new }.order("nodes", "the nodes", changes);
}

/// A row for something that is gone.
pub(super) fn removed_row(old: &Json, rule: Rule, message: &str, removal: &Removal<'_>, changes: &mut Changes) {
    let rule = if removal.is_announced(old) { rules::REMOVED_AS_ANNOUNCED } else { rule };
    changes.add(rule, "", message.to_owned());
}

/// Rows for a node that is in both.
fn node(pair: Pair<'_>, removal: &Removal<'_>, changes: &mut Changes) {
    let first = changes.rows.len();
    pair.named("", changes);
    hints(pair, changes);
    match pair.changed("unstable") {
        Some((_, Json::Bool(true))) => changes.add(rules::UNSTABLE_GAINED, "", "it is marked unstable".to_owned()),
        Some(_) => changes.add(rules::UNSTABLE_LOST, "", "it is no longer marked unstable".to_owned()),
        None => {}
    }
    pair.deprecation("", changes);
    pair.row("batched", rules::BATCHING_CHANGED, "", changes);
    match pair.changed("task").map(|(old, new)| (old.as_str(), new.as_str())) {
        Some((_, Some("required"))) => {
            changes.add(rules::TASK_REQUIRED, "", "a call must run as a task".to_owned());
        }
        Some((_, None)) => changes.add(rules::TASK_LOST, "", "a call cannot run as a task any more".to_owned()),
        Some(_) => changes.add(rules::TASK_OFFERED, "", "a call may run as a task, and need not".to_owned()),
        None => {}
    }
    pair.row("waits", rules::ROUTING_CHANGED, "", changes);
    pair.row("fallback", rules::ROUTING_CHANGED, "", changes);
    pair.row(MCP_ONLY, rules::ROUTING_CHANGED, "", changes);
    pair.row("result", rules::RESULT_CHANGED, "", changes);
    pair.errors(changes);
    for (key, side) in [("input_schema", Side::Input), ("output_schema", Side::Output)] {
        if let Some((old, new)) = pair.changed(key) {
            schema::documents(old, new, side, "", changes);
        }
    }
    for (key, side) in [("inputs", Side::Input), ("outputs", Side::Output)] {
        fields(pair, key, side, changes);
    }
    pair.unknown(&KNOWN, "", changes);
    announced(pair.old, removal, first, changes);
    exempt(pair.old, first, changes);
}

/// What breaks of a node that was marked unstable breaks no promise.
fn exempt(old: &Json, first: usize, changes: &mut Changes) {
    if old.get("unstable") != Some(&Json::Bool(true)) {
        return;
    }
    for row in changes.rows.iter_mut().skip(first).filter(|row| row.verdict == Verdict::Breaking) {
        row.verdict = Verdict::Exempt;
        "the node was marked unstable".clone_into(&mut row.why);
    }
}

/// A field that was deprecated long enough may go.
pub(super) fn announced(old: &Json, removal: &Removal<'_>, first: usize, changes: &mut Changes) {
    let fields = || ["inputs", "outputs", "arguments"].into_iter().flat_map(|key| list(old, key));
    for row in changes.rows.iter_mut().skip(first).filter(|row| row.rule == rules::FIELD_REMOVED) {
        let name = row.pointer.trim_start_matches('/');
        if fields().any(|field| text(field, "name") == name && removal.is_announced(field)) {
            row.rule = rules::REMOVED_AS_ANNOUNCED;
            row.verdict = Verdict::Compatible;
            rules::REMOVED_AS_ANNOUNCED.why.clone_into(&mut row.why);
        }
    }
}

fn hints(pair: Pair<'_>, changes: &mut Changes) {
    let nothing = Json::Null;
    let of = |object| Json::get(object, "hints").unwrap_or(&nothing);
    let hints = Pair { old: of(pair.old), new: of(pair.new) };
    let is = |value: &Json| value == &Json::Bool(true);
    for (key, lost, gained, words) in [
        ("read_only", rules::READ_ONLY_LOST, rules::READ_ONLY_GAINED, "read-only"),
        ("idempotent", rules::IDEMPOTENT_LOST, rules::IDEMPOTENT_GAINED, "idempotent"),
    ] {
        match hints.changed(key) {
            Some((old, _)) if is(old) => changes.add(lost, "", format!("it does not say any more that it is {words}")),
            Some((_, new)) if is(new) => changes.add(gained, "", format!("it says that it is {words}")),
            Some(_) => hints.row(key, rules::HINT_CHANGED, "", changes),
            None => {}
        }
    }
    hints.row("destructive", rules::HINT_CHANGED, "", changes);
    hints.row("open_world", rules::HINT_CHANGED, "", changes);
    hints.unknown(&["read_only", "idempotent", "destructive", "open_world"], "", changes);
}

/// Rows for what ports and config fields say beside their schemas.
fn fields(pair: Pair<'_>, key: &str, side: Side, changes: &mut Changes) {
    let olds = list(pair.old, key);
    for new in list(pair.new, key) {
        let Some(old) = olds.iter().find(|old| text(old, "name") == text(new, "name")) else {
            unsaid(new, "is new", changes);
            continue;
        };
        field(Pair { old, new }, side, changes);
    }
    for old in olds {
        if !list(pair.new, key).iter().any(|new| text(new, "name") == text(old, "name")) {
            unsaid(old, "is gone", changes);
        }
    }
    pair.order(key, if side == Side::Input { "the arguments" } else { "the outputs" }, changes);
}

/// A row for a field that no schema has told of, such as a label.
fn unsaid(field: &Json, what: &str, changes: &mut Changes) {
    let name = text(field, "name");
    let at = format!("/{}", crate::call::escape(name));
    let is_said =
        |row: &Change| row.subject == changes.subject && (row.pointer == at || row.rule == rules::FIELD_RENAMED);
    if !changes.rows.iter().any(is_said) {
        changes.add(rules::WIDGET_CHANGED, &at, format!("`{name}` {what}"));
    }
}

fn field(pair: Pair<'_>, side: Side, changes: &mut Changes) {
    let at = format!("/{}", crate::call::escape(text(pair.new, "name")));
    pair.named(&at, changes);
    if let Some((old, new)) = pair.changed("wire_type") {
        // What takes anything may be connected with whatever it was before; what gives anything was so too.
        let opened = match side {
            Side::Input => new == "ANY",
            Side::Output => old == "ANY",
        };
        let rule = if opened { rules::WIRE_TYPE_OPENED } else { rules::WIRE_TYPE_CHANGED };
        let message = format!("wire type: {} → {}", old.as_str().unwrap_or_default(), new.as_str().unwrap_or_default());
        changes.add(rule, &at, message);
    }
    pair.row("header", rules::HEADER_CHANGED, &at, changes);
    pair.deprecation(&at, changes);
    config(pair, &at, changes);
    // The schema says the others: whether it may be left out, and how numbers are written.
    let known = ["name", "title", "doc", "wire_type", "optional", "int64", "nan", "header", "deprecated", "config"];
    pair.unknown(&known, &at, changes);
    for key in ["optional", "int64", "nan"] {
        let is_said = changes.rows.iter().any(|row| row.subject == changes.subject && row.pointer.starts_with(&at));
        if !is_said {
            pair.row(key, rules::WIDGET_CHANGED, &at, changes);
        }
    }
}

fn config(pair: Pair<'_>, at: &str, changes: &mut Changes) {
    let nothing = Json::Null;
    let of = |field| Json::get(field, "config").unwrap_or(&nothing);
    let config = Pair { old: of(pair.old), new: of(pair.new) };
    match (config.old, config.new) {
        (Json::Null, Json::Null) => {}
        (Json::Null, _) => changes.add(rules::WIDGET_CHANGED, at, "the port is a config field".to_owned()),
        (_, Json::Null) => changes.add(rules::WIDGET_CHANGED, at, "the config field is a port".to_owned()),
        _ => {
            config.row("default", rules::DEFAULT_CHANGED, at, changes);
            let keys = ["field_type", "label", "min", "max", "step", "options", "placeholder", "section"];
            // What the widget offers follows from what the schema takes, and a row has said that.
            let is_said = |row: &Change| {
                row.subject == changes.subject && row.pointer == at && matches!(row.rule.judgement, Judgement::ByValues)
            };
            let is_said = changes.rows.iter().any(is_said);
            for key in keys.into_iter().filter(|key| !is_said || !["min", "max", "step", "options"].contains(key)) {
                config.row(key, rules::WIDGET_CHANGED, at, changes);
            }
            config.unknown(&[&keys[..], &["default"]].concat(), at, changes);
        }
    }
}
