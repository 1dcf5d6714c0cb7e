//! Values that lead to one place of a schema: small, and as far as a schema tells, valid.
//!
//! What leads there comes first in every object, so that a decoder that goes through them in order gets there before
//! anything else can be wrong; only a tag comes before it, which says what the rest is.

use serde_json::{Map, Value as Json};

use super::inline::resolve;
use super::wire_type::is_null;

/// A schema on the way, and how it is reached from the one before.
pub(super) struct Link<'s> {
    pub(super) step: Step,
    pub(super) schema: &'s Map<String, Json>,
}

/// From one schema to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// It is about the same value.
    Same,
    /// It is about a member of it.
    Member(String),
    /// It is about an item of it.
    Item(usize),
}

/// Builds values of schemas that have these definitions.
#[derive(Clone, Copy)]
pub(super) struct Probe<'s> {
    pub(super) definitions: &'s Map<String, Json>,
}

/// Deeper than this a value is cut short.
const MAX_DEPTH: usize = 24;

impl<'s> Probe<'s> {
    /// The value that leads to the object at the end of the chain, in which `key` has one of these `values`.
    pub(super) fn value(self, chain: &[Link<'s>], key: &str, values: &'s Json) -> Json {
        let mut value = self.smallest(values, MAX_DEPTH);
        let mut step = Step::Member(key.to_owned());
        let mut rest = chain;
        loop {
            let (before, parts) = own(rest);
            value = match &step {
                Step::Member(name) => self.object(parts, name, value),
                Step::Item(at) => self.list(parts, *at, value),
                Step::Same => value,
            };
            match parts.first() {
                Some(first) if !before.is_empty() => step = first.step.clone(),
                _ => return value,
            }
            rest = before;
        }
    }

    /// Whether the object at the end of the chain is composed of several that each say something of its members.
    pub(super) fn is_composed(self, chain: &[Link<'s>]) -> bool {
        let (_, parts) = own(chain);
        let speaks = |members: &&&Map<String, Json>| {
            ["properties", "required", "patternProperties", "additionalProperties", "unevaluatedProperties"]
                .iter()
                .any(|keyword| members.contains_key(*keyword))
        };
        self.parts(parts).iter().filter(speaks).count() > 1
    }

    /// An object with this member, and with what else it must have.
    fn object(self, parts: &[Link<'s>], name: &str, value: Json) -> Json {
        let all = self.parts(parts);
        let properties = || all.iter().filter_map(|part| part.get("properties")?.as_object()).flatten();
        let mut members = Map::new();
        for (tag, schema) in properties().filter(|(tag, _)| *tag != name) {
            if let Some(constant) = resolve(schema, self.definitions).as_object().and_then(constant) {
                members.insert(tag.clone(), constant.clone());
            }
        }
        members.insert(name.to_owned(), value);
        self.fill(&all, &mut members, MAX_DEPTH);
        members.into()
    }

    fn fill(self, parts: &[&'s Map<String, Json>], members: &mut Map<String, Json>, depth: usize) {
        let properties = || parts.iter().filter_map(|part| part.get("properties")?.as_object()).flatten();
        let required = parts.iter().filter_map(|part| part.get("required")?.as_array()).flatten();
        for name in required.filter_map(Json::as_str) {
            if !members.contains_key(name)
                && let Some((_, schema)) = properties().find(|(known, _)| *known == name)
            {
                members.insert(name.to_owned(), self.smallest(schema, depth));
            }
        }
    }

    /// A list with this item at its place, and with what else it must have.
    fn list(self, parts: &[Link<'s>], at: usize, value: Json) -> Json {
        let all = self.parts(parts);
        let length = all.iter().map(|part| length(part)).max().unwrap_or_default().max(at + 1);
        let item = |place: usize| self.item(&all, place, MAX_DEPTH);
        (0..length).map(|place| if place == at { value.clone() } else { item(place) }).collect()
    }

    fn item(self, parts: &[&'s Map<String, Json>], at: usize, depth: usize) -> Json {
        let first = |part: &&'s Map<String, Json>| part.get("prefixItems").and_then(|items| items.get(at));
        let schema = parts.iter().find_map(first).or_else(|| parts.iter().find_map(|part| part.get("items")));
        schema.map_or(Json::Null, |schema| self.smallest(schema, depth))
    }

    /// A small value of a schema.
    fn smallest(self, schema: &'s Json, depth: usize) -> Json {
        let (Some(members), Some(depth)) = (schema.as_object(), depth.checked_sub(1)) else { return Json::Null };
        let mut parts = Vec::new();
        self.gather(members, &[], &mut parts, depth);
        let keyword = |name: &str| parts.iter().find_map(|part| part.get(name));
        if let Some(constant) = parts.iter().find_map(|part| constant(part)).or_else(|| keyword("enum")?.get(0)) {
            return constant.clone();
        }
        let ty = match keyword("type") {
            Some(Json::Array(types)) => types.iter().find(|ty| *ty == "null").or(types.first()),
            single => single,
        };
        match ty.and_then(Json::as_str) {
            Some("boolean") => false.into(),
            Some("integer" | "number") => number(&parts),
            Some("string") => text(&parts).into(),
            Some("array") => {
                let length = parts.iter().map(|part| length(part)).max().unwrap_or_default();
                (0..length).map(|at| self.item(&parts, at, depth)).collect()
            }
            Some("object") => {
                let mut members = Map::new();
                self.fill(&parts, &mut members, depth);
                members.into()
            }
            _ => Json::Null,
        }
    }

    /// All schemas that say something of the value at the end of a chain, these of the chain and what they are made of.
    fn parts(self, chain: &[Link<'s>]) -> Vec<&'s Map<String, Json>> {
        let mut parts = Vec::new();
        if let Some(first) = chain.first() {
            self.gather(first.schema, chain, &mut parts, MAX_DEPTH);
        }
        parts
    }

    /// A schema and its parts; of a union the branch that the chain goes through, or else the one that ends soonest.
    fn gather(
        self,
        members: &'s Map<String, Json>,
        chain: &[Link<'s>],
        parts: &mut Vec<&'s Map<String, Json>>,
        depth: usize,
    ) {
        let Some(depth) = depth.checked_sub(1) else { return };
        parts.push(members);
        let referred = members.get("$ref").and_then(Json::as_str).and_then(|name| name.strip_prefix("#/$defs/"));
        let referred = referred.and_then(|name| self.definitions.get(name));
        let all = members.get("allOf").and_then(Json::as_array).into_iter().flatten();
        let chosen = unions(members).filter_map(|branches| {
            let is_on_the_way = |branch: &&Json| {
                chain.iter().any(|link| branch.as_object().is_some_and(|b| std::ptr::eq(b, link.schema)))
            };
            let ends = |branch: &&Json| is_null(branch) || constant_or_enum(branch);
            branches.iter().find(is_on_the_way).or_else(|| branches.iter().find(ends)).or(branches.first())
        });
        for part in referred.into_iter().chain(all).chain(chosen).filter_map(Json::as_object) {
            self.gather(part, chain, parts, depth);
        }
    }
}

/// Whether the chain leads through a union of several forms.
pub(super) fn is_one_of_many(chain: &[Link<'_>]) -> bool {
    let forms = |link: &Link<'_>| unions(link.schema).flatten().filter(|form| !is_null(form)).count();
    chain.iter().any(|link| forms(link) > 1)
}

/// Whether the chain leads through an option that is flattened: where it does not fit, serde takes it for none, and
/// schemars puts a form beside it that says nothing.
pub(super) fn may_be_dropped(chain: &[Link<'_>]) -> bool {
    chain.iter().any(|link| unions(link.schema).flatten().any(|form| form == &Json::Object(Map::new())))
}

/// The part of a chain that is about the value at its end, and what leads there.
fn own<'c, 's>(chain: &'c [Link<'s>]) -> (&'c [Link<'s>], &'c [Link<'s>]) {
    let start = chain.iter().rposition(|link| link.step != Step::Same).unwrap_or_default();
    chain.split_at(start)
}

fn unions(members: &Map<String, Json>) -> impl Iterator<Item = &Vec<Json>> {
    ["anyOf", "oneOf"].into_iter().filter_map(|union| members.get(union)?.as_array())
}

fn constant_or_enum(schema: &Json) -> bool {
    schema.get("const").is_some() || schema.get("enum").is_some()
}

/// The one value that a schema allows, if it is so.
fn constant(members: &Map<String, Json>) -> Option<&Json> {
    let single = || match members.get("enum")?.as_array()?.as_slice() {
        [single] => Some(single),
        _ => None,
    };
    members.get("const").or_else(single)
}

/// The fewest items that a list has.
fn length(members: &Map<String, Json>) -> usize {
    let least = members.get("minItems").and_then(Json::as_u64).and_then(|least| usize::try_from(least).ok());
    least.unwrap_or_default()
}

/// A number in the bounds of all parts, 0 if it may be.
fn number(parts: &[&Map<String, Json>]) -> Json {
    let bound = |keyword: &'static str| parts.iter().filter_map(move |part| part.get(keyword));
    let below = |bound: &&Json| bound.as_f64().is_some_and(|bound| bound > 0.0);
    let above = |bound: &&Json| bound.as_f64().is_some_and(|bound| bound < 0.0);
    bound("minimum").find(below).or_else(|| bound("maximum").find(above)).cloned().unwrap_or_else(|| 0.into())
}

/// A text of the format or the length that the parts ask for.
fn text(parts: &[&Map<String, Json>]) -> String {
    let keyword = |name: &str| parts.iter().find_map(|part| part.get(name));
    let sample = match keyword("format").and_then(Json::as_str) {
        Some("date-time") => "2026-01-01T00:00:00Z",
        Some("date") => "2026-01-01",
        Some("time" | "partial-time") => "00:00:00Z",
        Some("duration") => "PT1S",
        Some("email") => "a@example.org",
        Some("hostname") => "example.org",
        Some("ip" | "ipv4") => "127.0.0.1",
        Some("ipv6") => "::1",
        Some("uri") => "https://example.org/",
        Some("uuid") => "00000000-0000-0000-0000-000000000000",
        _ => "",
    };
    let least = keyword("minLength").and_then(Json::as_u64).and_then(|least| usize::try_from(least).ok());
    match least {
        Some(least) if sample.len() < least && least <= 1024 => "x".repeat(least),
        _ => sample.to_owned(),
    }
}
