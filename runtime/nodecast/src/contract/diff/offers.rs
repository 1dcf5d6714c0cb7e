//! Resources and prompts: what clients find by address or by name, and fill in as text.

use serde_json::{Map, Value as Json, json};

use super::facts::Pair;
use super::nodes::{Removal, announced, removed_row};
use super::rename::{self, Renamed};
use super::rules::{self, Side};
use super::{Changes, list, schema, text};

/// Rows for all resources and prompts.
pub(super) fn offers(old: &Json, new: &Json, removal: &Removal<'_>, changes: &mut Changes) {
    for (key, what) in [("resources", "resource"), ("prompts", "prompt")] {
        kind(Pair { old, new }, key, what, removal, changes);
    }
}

fn kind(pair: Pair<'_>, key: &str, what: &str, removal: &Removal<'_>, changes: &mut Changes) {
    let (olds, news) = (list(pair.old, key), list(pair.new, key));
    let find = |offers: &'_ [Json], name: &str| offers.iter().position(|offer| text(offer, "name") == name);
    let removed: Vec<String> =
        olds.iter().map(|old| text(old, "name").to_owned()).filter(|name| find(news, name).is_none()).collect();
    let added: Vec<String> =
        news.iter().map(|new| text(new, "name").to_owned()).filter(|name| find(olds, name).is_none()).collect();
    let get = |offers: &'_ [Json], name: &str| find(offers, name).and_then(|place| offers.get(place).cloned());
    let renamed = rename::pairs(&removed.iter().collect::<Vec<_>>(), &added.iter().collect::<Vec<_>>(), |old, new| {
        let (Some(old), Some(new)) = (get(olds, old), get(news, new)) else { return false };
        !removal.is_announced(&old) && ["uri", "arguments"].iter().all(|key| old.get(*key) == new.get(*key))
    });
    for old in olds.iter().filter(|old| removed.iter().any(|name| name == text(old, "name"))) {
        changes.about(text(old, "full_name"));
        match renamed.iter().find(|pair| pair.old == text(old, "name")) {
            Some(Renamed { old, new }) => {
                changes.add(rules::OFFER_RENAMED, "", format!("the {what} `{old}` is called `{new}`"));
            }
            None => removed_row(old, rules::OFFER_REMOVED, &format!("the {what} is gone"), removal, changes),
        }
    }
    for new in news {
        let name = text(new, "name");
        changes.about(text(new, "full_name"));
        let was = renamed.iter().find(|pair| pair.new == name).map_or(name, |pair| &pair.old);
        match find(olds, was).and_then(|place| olds.get(place)) {
            Some(old) => offer(Pair { old, new }, removal, changes),
            None => changes.add(rules::OFFER_ADDED, "", format!("the {what} is new")),
        }
    }
    let nodeset = pair.new.get("nodeset").map(|nodeset| text(nodeset, "name")).unwrap_or_default();
    changes.about(nodeset);
    pair.order(key, &format!("the {what}s"), changes);
}

/// Rows for one that is in both.
fn offer(pair: Pair<'_>, removal: &Removal<'_>, changes: &mut Changes) {
    let first = changes.rows.len();
    pair.named("", changes);
    pair.row("uri", rules::URI_CHANGED, "", changes);
    pair.row("mime", rules::MEDIA_TYPE_CHANGED, "", changes);
    pair.row("cache", rules::CACHE_CHANGED, "", changes);
    pair.deprecation("", changes);
    pair.errors(changes);
    arguments(pair, changes);
    pair.order("arguments", "the arguments", changes);
    let known = [
        "name",
        "full_name",
        "uri",
        "title",
        "doc",
        "mime",
        "cache",
        "icons",
        "meta",
        "deprecated",
        "arguments",
        "errors",
    ];
    pair.unknown(&known, "", changes);
    announced(pair.old, removal, first, changes);
}

/// Arguments as the object that they are together; then what each says besides.
fn arguments(pair: Pair<'_>, changes: &mut Changes) {
    schema::documents(&object(pair.old), &object(pair.new), Side::Input, "", changes);
    for new in list(pair.new, "arguments") {
        let name = text(new, "name");
        let Some(old) = list(pair.old, "arguments").iter().find(|old| text(old, "name") == name) else { continue };
        let at = format!("/{}", crate::call::escape(name));
        let argument = Pair { old, new };
        argument.named(&at, changes);
        argument.deprecation(&at, changes);
        argument.row("completion", rules::COMPLETION_CHANGED, &at, changes);
        argument.unknown(&["name", "title", "doc", "optional", "deprecated", "schema", "completion"], &at, changes);
    }
}

/// The arguments as one closed object, the definitions of all at its root.
fn object(offer: &Json) -> Json {
    let (mut properties, mut definitions) = (Map::new(), Map::new());
    let arguments = list(offer, "arguments");
    for argument in arguments {
        let mut schema = argument.get("schema").cloned().unwrap_or(Json::Bool(true));
        if let Some(Json::Object(own)) = schema.as_object_mut().and_then(|schema| schema.shift_remove("$defs")) {
            for (name, definition) in own {
                definitions.entry(name).or_insert(definition);
            }
        }
        properties.insert(text(argument, "name").to_owned(), schema);
    }
    let is_required = |argument: &&Json| argument.get("optional") != Some(&Json::Bool(true));
    let required: Vec<&str> = arguments.iter().filter(is_required).map(|argument| text(argument, "name")).collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
        "$defs": definitions,
    })
}
