//! Neighbours of an instance: one place of it changed to what is nearly right.

use serde_json::{Map, Value as Json, json};

use super::dice::Dice;
use super::form::Document;
use super::generate::{Instance, Place, anything};
use super::{number, text};

/// A neighbour of an instance.
pub(super) struct Neighbour {
    pub(super) value: Json,
    /// Where a finding may point: here, above or below.
    pub(super) pointer: String,
    /// A picture, an array or bytes are in what was changed, or are around it.
    pub(super) is_content: bool,
}

/// Whether one pointer leads to the other's place, or to one around it.
pub(super) fn is_related(one: &str, other: &str) -> bool {
    let leads = |outer: &str, inner: &str| {
        inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    leads(one, other) || leads(other, one)
}

/// Changes one place; none where the place drawn is not there any more.
pub(super) fn neighbour<'s>(document: Document<'s>, instance: &Instance<'s>, dice: &mut Dice) -> Option<Neighbour> {
    let place = dice.pick(&instance.places)?;
    let mut value = instance.value.clone();
    let at = value.pointer_mut(&place.pointer)?;
    let before = at.take();
    let around =
        instance.places.iter().any(|other| other.form.is_content && is_related(&other.pointer, &place.pointer));
    let is_content = around || document.reaches_content(&place.form);
    *at = if dice.below(4) == 0 { other(&before, dice) } else { near(place, before, dice) };
    let scope = place.scope.and_then(|scope| instance.places.get(scope)).map_or(&place.pointer, |scope| &scope.pointer);
    // A tag decides what stands beside it.
    let scope = match scope.rsplit_once('/') {
        Some((parent, _)) if place.form.has("const") => parent,
        _ => scope,
    };
    Some(Neighbour { pointer: scope.to_owned(), value, is_content })
}

/// A value of another kind, or one level off.
fn other(before: &Json, dice: &mut Dice) -> Json {
    match dice.below(12) {
        0 | 1 => Json::Null,
        2 => json!(true),
        3 => json!(0),
        4 => json!(""),
        5 => json!([]),
        6 => json!({}),
        7 => json!([before]),
        8 => json!({ "value": before }),
        9 => Json::String(before.to_string()),
        10 => match before {
            Json::Array(items) => items.first().cloned().unwrap_or_default(),
            Json::Object(members) => members.values().next().cloned().unwrap_or_default(),
            _ => json!(1.5),
        },
        _ => anything(dice, 1),
    }
}

/// A value of the same kind that is slightly off.
fn near(place: &Place<'_>, before: Json, dice: &mut Dice) -> Json {
    match before {
        Json::Null => other(&Json::Null, dice),
        Json::Bool(yes) => dice.pick(&[json!(u8::from(yes)), json!(yes.to_string())]).cloned().unwrap_or_default(),
        Json::Number(_) => number::beyond(&place.form, &before, dice),
        Json::String(text) => self::text(place, &text, dice),
        Json::Array(items) => list(items, dice),
        Json::Object(members) => object(place, members, dice),
    }
}

fn text(place: &Place<'_>, before: &str, dice: &mut Dice) -> Json {
    let length = before.chars().count();
    let most = place.form.count("maxLength").unwrap_or(length);
    let changed = match dice.below(12) {
        0 => before.to_uppercase(),
        1 => before.to_lowercase(),
        2 => format!("{before} "),
        3 => format!("{before}x"),
        4 => before.chars().take(length.saturating_sub(1)).collect(),
        5 => before.chars().chain("x".repeat(most).chars()).take(most + 1).collect(),
        6 => String::new(),
        7 => before.replace(['0', '-', '.', ':'], "9"),
        8 => format!("0{before}"),
        9 => format!("-{before}"),
        // What an enum's variant looks like when it has content.
        10 => return json!({ before: null }),
        _ => return json!({ before: {} }),
    };
    changed.into()
}

fn list(mut items: Vec<Json>, dice: &mut Dice) -> Json {
    match dice.below(6) {
        0 | 1 => {
            let again = dice.pick(&items).cloned().unwrap_or_default();
            items.push(again);
        }
        2 => {
            items.pop();
        }
        3 => items.push(anything(dice, 1)),
        4 => items.clear(),
        _ => {
            return Json::Object(items.into_iter().enumerate().map(|(at, item)| (at.to_string(), item)).collect());
        }
    }
    items.into()
}

/// Names that one or another decoder might take without its being declared.
const NAMES: [&str; 8] = ["zz", "old", "alias", "type", "", "Value", "content", "__proto__"];

/// Keys of maps that a lax decoder takes for a number, a truth value or a character.
const KEYS: [&str; 20] = [
    "0",
    "00",
    "01",
    "-0",
    "-1",
    "+1",
    "1.0",
    " 1",
    "1e0",
    "127",
    "128",
    "255",
    "256",
    "-129",
    "65536",
    "4294967296",
    "18446744073709551616",
    "true",
    "True",
    "ab",
];

fn object(place: &Place<'_>, mut members: Map<String, Json>, dice: &mut Dice) -> Json {
    let names: Vec<String> = members.keys().cloned().collect();
    let name = dice.pick(&names).cloned();
    match (dice.below(9), name) {
        (0 | 1, Some(name)) => {
            members.shift_remove(&name);
        }
        (2, Some(name)) => {
            members.insert(name, Json::Null);
        }
        (3, Some(name)) => {
            let value = members.shift_remove(&name).unwrap_or_default();
            let renamed = match dice.below(5) {
                0 => name.to_uppercase(),
                1 => name.to_lowercase(),
                2 => format!("{name}_"),
                3 => dice.word(&NAMES).to_owned(),
                _ => dice.word(&KEYS).to_owned(),
            };
            members.insert(renamed, value);
        }
        // A struct by position, a unit variant with what was in it, two variants at once.
        (4, _) => return members.into_iter().map(|(_, value)| value).collect(),
        (5, Some(name)) if members.len() == 1 => return name.into(),
        (6, Some(name)) if place.form.open().is_some() => {
            let value = members.get(&name).cloned().unwrap_or_default();
            members.insert(dice.word(&KEYS).to_owned(), value);
        }
        (7, Some(name)) => {
            let value = members.get(&name).cloned().unwrap_or_default();
            members.insert(dice.word(&NAMES).to_owned(), value);
        }
        _ => {
            let declared = place.form.properties();
            let (name, value) = match dice.pick(&declared) {
                Some((name, _)) if dice.one_in(2) => ((*name).to_owned(), Json::Null),
                _ if dice.one_in(4) => (text::key(dice), json!(0)),
                _ => (dice.word(&NAMES).to_owned(), json!(0)),
            };
            members.entry(name).or_insert(value);
        }
    }
    members.into()
}
