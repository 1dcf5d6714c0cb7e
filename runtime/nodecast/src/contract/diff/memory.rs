//! What a nodeset remembers, and its panel: which states came, went, or take something else.

use serde_json::Value as Json;

use super::facts::Pair;
use super::rules::{self, Side};
use super::{Changes, list, schema, text};
use crate::call::escape;

/// Rows for the containers and the panel of a nodeset.
pub(super) fn nodeset(pair: Pair<'_>, changes: &mut Changes) {
    let (olds, news) = (list(pair.old, "containers"), list(pair.new, "containers"));
    for old in olds.iter().filter(|old| find(news, "id", text(old, "id")).is_none()) {
        let id = text(old, "id");
        changes.add(rules::CONTAINER_REMOVED, &at("/containers", id), format!("the container `{id}` is gone"));
    }
    for new in news {
        let id = text(new, "id");
        let at = at("/containers", id);
        match find(olds, "id", id) {
            Some(old) => container(Pair { old, new }, &at, changes),
            None => changes.add(rules::CONTAINER_ADDED, &at, format!("the container `{id}` is new")),
        }
    }
    match pair.changed("panel") {
        Some((Json::Null, _)) => changes.add(rules::PANEL_ADDED, "/panel", "there is a panel".to_owned()),
        Some((_, Json::Null)) => changes.add(rules::PANEL_REMOVED, "/panel", "the panel is gone".to_owned()),
        Some(_) => changes.add(rules::PANEL_CHANGED, "/panel", "the panel is another".to_owned()),
        None => {}
    }
}

/// Rows for a container that is in both.
fn container(pair: Pair<'_>, place: &str, changes: &mut Changes) {
    pair.named(place, changes);
    pair.row("label", rules::TITLE_CHANGED, place, changes);
    let (olds, news) = (list(pair.old, "states"), list(pair.new, "states"));
    for old in olds.iter().filter(|old| find(news, "name", text(old, "name")).is_none()) {
        let name = text(old, "name");
        changes.add(rules::STATE_REMOVED, &at(place, name), format!("the state `{name}` is gone"));
    }
    for new in news {
        let name = text(new, "name");
        let at = at(place, name);
        match find(olds, "name", name) {
            Some(old) => state(Pair { old, new }, &at, changes),
            None => changes.add(rules::STATE_ADDED, &at, format!("the state `{name}` is new")),
        }
    }
    pair.order("states", "the states", changes);
    pair.unknown(&["id", "label", "doc", "states"], place, changes);
}

/// Rows for a state that is in both.
fn state(pair: Pair<'_>, place: &str, changes: &mut Changes) {
    pair.named(place, changes);
    pair.row("reducer", rules::REDUCER_CHANGED, place, changes);
    pair.row("value_type", rules::WIDGET_CHANGED, place, changes);
    for key in ["initial", "max_size", "lifetime", "reset_on"] {
        pair.row(key, rules::MEMORY_CHANGED, &at(place, key), changes);
    }
    // What one client writes another reads.
    if let Some((old, new)) = pair.changed("schema") {
        schema::documents(old, new, Side::Input, place, changes);
        schema::documents(old, new, Side::Output, place, changes);
    }
    let known = ["name", "doc", "reducer", "value_type", "max_size", "initial", "lifetime", "reset_on", "schema"];
    pair.unknown(&known, place, changes);
}

fn find<'a>(all: &'a [Json], key: &str, name: &str) -> Option<&'a Json> {
    all.iter().find(|one| text(one, key) == name)
}

fn at(place: &str, name: &str) -> String {
    format!("{place}/{}", escape(name))
}
