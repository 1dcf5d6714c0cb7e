//! What is declared beside schemas: of the nodeset, and what everything has that can be named.

use serde_json::{Map, Value as Json};

use super::rules::{self, Rule};
use super::{Changes, list, memory, shown, text};

/// Two declarations of one thing.
#[derive(Clone, Copy)]
pub(super) struct Pair<'a> {
    pub(super) old: &'a Json,
    pub(super) new: &'a Json,
}

impl<'a> Pair<'a> {
    /// What a fact was and is, where that is not the same; what is left out is null.
    pub(super) fn changed(self, key: &str) -> Option<(&'a Json, &'a Json)> {
        let of = |object: &'a Json| object.get(key).unwrap_or(&Json::Null);
        let (old, new) = (of(self.old), of(self.new));
        (old != new).then_some((old, new))
    }

    /// A row for a fact, if it changed.
    pub(super) fn row(self, key: &str, rule: Rule, at: &str, changes: &mut Changes) {
        if let Some((old, new)) = self.changed(key) {
            changes.add(rule, at, format!("{}: {} → {}", key.replace('_', " "), shown(Some(old)), shown(Some(new))));
        }
    }

    /// Rows for facts that are not among these.
    pub(super) fn unknown(self, known: &[&str], at: &str, changes: &mut Changes) {
        let keys = |object: &'a Json| object.as_object().into_iter().flat_map(Map::keys);
        let mut keys: Vec<&String> =
            keys(self.old).chain(keys(self.new)).filter(|key| !known.contains(&key.as_str())).collect();
        keys.sort();
        keys.dedup();
        for key in keys {
            self.row(key, rules::UNKNOWN_FACT, at, changes);
        }
    }

    /// Rows for what everything has: title, doc, icons, `_meta`.
    pub(super) fn named(self, at: &str, changes: &mut Changes) {
        self.row("title", rules::TITLE_CHANGED, at, changes);
        if let Some((old, new)) = self.changed("doc") {
            changes.add(rules::DOC_CHANGED, at, format!("description: {} → {}", shown(Some(old)), shown(Some(new))));
        }
        self.row("icons", rules::MARK_CHANGED, at, changes);
        self.row("meta", rules::MARK_CHANGED, at, changes);
    }

    /// A row for a deprecation that came or went.
    pub(super) fn deprecation(self, at: &str, changes: &mut Changes) {
        match self.changed("deprecated") {
            Some((_, Json::Null)) => {
                changes.add(rules::DEPRECATION_LIFTED, at, "it is no longer deprecated".to_owned());
            }
            Some((Json::Null, _)) => changes.add(rules::DEPRECATED, at, "it is deprecated".to_owned()),
            Some(_) => changes.add(rules::DEPRECATED, at, "its deprecation says something else".to_owned()),
            None => {}
        }
    }

    /// Rows for kinds of error.
    pub(super) fn errors(self, changes: &mut Changes) {
        let (olds, news) = (list(self.old, "errors"), list(self.new, "errors"));
        let find = |kinds: &'a [Json], name: &str| kinds.iter().find(|kind| text(kind, "name") == name);
        for old in olds.iter().filter(|old| find(news, text(old, "name")).is_none()) {
            changes.add(rules::ERROR_REMOVED, "", format!("the error `{}` is gone", text(old, "name")));
        }
        for new in news {
            let name = text(new, "name");
            let Some(old) = find(olds, name) else {
                changes.add(rules::ERROR_ADDED, "", format!("the error `{name}` is new"));
                continue;
            };
            let at = format!("/errors/{name}");
            let pair = Pair { old, new };
            pair.row("retryable", rules::RETRY_CHANGED, &at, changes);
            pair.named(&at, changes);
            pair.unknown(&["name", "doc", "retryable"], &at, changes);
        }
        self.order("errors", "the errors", changes);
    }

    /// A row where what is in both lists stands in another order.
    pub(super) fn order(self, key: &str, what: &str, changes: &mut Changes) {
        let names = |object: &'a Json| list(object, key).iter().map(|entry| text(entry, "name")).collect::<Vec<_>>();
        let (mut old, mut new) = (names(self.old), names(self.new));
        let (all_old, all_new) = (old.clone(), new.clone());
        old.retain(|name| all_new.contains(name));
        new.retain(|name| all_old.contains(name));
        if old != new {
            changes.add(rules::ORDER_CHANGED, "", format!("{what} stand in another order"));
        }
    }
}

/// Rows for the facts of the nodeset.
pub(super) fn nodeset(old: &Json, new: &Json, changes: &mut Changes) {
    let nothing = Json::Null;
    let of = |part| Json::get(part, "nodeset").unwrap_or(&nothing);
    let pair = Pair { old: of(old), new: of(new) };
    changes.about(text(pair.new, "name"));
    pair.row("name", rules::NODESET_RENAMED, "", changes);
    // Unless something else is said, the prefix is the name.
    let follows = |nodeset: &Json| nodeset.get("prefix") == nodeset.get("name");
    if !(follows(pair.old) && follows(pair.new)) {
        pair.row("prefix", rules::PREFIX_CHANGED, "", changes);
    }
    pair.named("", changes);
    pair.row("instructions", rules::INSTRUCTIONS_CHANGED, "", changes);
    pair.row("parallelism", rules::PARALLELISM_CHANGED, "", changes);
    pair.row("cache", rules::CACHE_CHANGED, "", changes);
    exclusivity(pair, changes);
    match pair.changed("sessions").map(|(old, new)| (old.as_str(), new.as_str())) {
        // An exclusive nodeset says it so.
        Some((_, Some("required"))) if pair.new.get("exclusive") != Some(&Json::Bool(true)) => {
            changes.add(rules::SESSION_REQUIRED, "", "clients of the older era need a session".to_owned());
        }
        Some((_, Some("required"))) | None => {}
        Some((Some("none"), _)) => changes.add(rules::SESSION_OFFERED, "", "clients may have a session".to_owned()),
        Some((_, Some("none"))) => changes.add(rules::SESSION_LOST, "", "clients have no session any more".to_owned()),
        Some(_) => changes.add(rules::SESSION_OFFERED, "", "clients need no session any more".to_owned()),
    }
    match pair.changed("modern").map(|(old, new)| (old.as_str(), new.as_str())) {
        Some((_, Some("rejected"))) => {
            changes.add(rules::ERA_REJECTED, "", "the newer protocol era is not served any more".to_owned());
        }
        Some((Some("rejected"), _)) => {
            changes.add(rules::ERA_SERVED, "", "the newer protocol era is served too".to_owned());
        }
        // Follows from being exclusive.
        Some(_) if pair.changed("exclusive").is_none() => pair.row("modern", rules::UNKNOWN_FACT, "", changes),
        _ => {}
    }
    memory::nodeset(pair, changes);
    let known = [
        "name",
        "prefix",
        "title",
        "doc",
        "instructions",
        "parallelism",
        "exclusive",
        "gated",
        "sessions",
        "modern",
        "cache",
        "icons",
        "meta",
        "containers",
        "panel",
    ];
    pair.unknown(&known, "", changes);
}

fn exclusivity(pair: Pair<'_>, changes: &mut Changes) {
    match pair.changed("exclusive") {
        Some((_, Json::Bool(true))) => {
            changes.add(rules::BECAME_EXCLUSIVE, "", "one client at a time may use it".to_owned());
        }
        Some(_) => changes.add(rules::NO_LONGER_EXCLUSIVE, "", "any number of clients may use it".to_owned()),
        // Who is gated follows from it.
        None => {
            let (old, new) = (list(pair.old, "gated"), list(pair.new, "gated"));
            for face in new.iter().filter(|face| !old.contains(face)) {
                changes.add(rules::GATE_ADDED, "", format!("the face {face} asks for the lease"));
            }
            for face in old.iter().filter(|face| !new.contains(face)) {
                changes.add(rules::GATE_REMOVED, "", format!("the face {face} does not ask for the lease"));
            }
        }
    }
}

/// Rows for what a contract has beside what is known.
pub(super) fn unknown(old: &Json, new: &Json, changes: &mut Changes) {
    Pair { old, new }.unknown(&["nodeset", "nodes", "resources", "prompts"], "", changes);
}

/// Rows for profiles that show the same contract in other words, as another version of nodecast may.
pub(super) fn profiles(old: &Json, new: &Json, changes: &mut Changes) {
    let of = |document| Json::get(document, "projections").and_then(Json::as_object);
    for (name, published) in of(new).into_iter().flatten() {
        let before = of(old).and_then(|profiles| profiles.get(name)).map(|before| text(before, "hash"));
        if before.is_some_and(|before| before != text(published, "hash")) {
            changes.add(
                rules::PUBLISHED_OTHERWISE,
                "",
                format!("the profile `{name}` publishes the tools in another form"),
            );
        }
    }
}
