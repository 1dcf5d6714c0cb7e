//! A part of a schema: what it says of the values of one JSON type.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use super::number::{Bound, Range, is_multiple};
use super::{All, Term, fact};

/// Finite parts are looked at value by value up to this many.
pub(super) const MOST_VALUES: usize = 64;

/// What is accepted of one JSON type.
#[derive(Clone, Debug)]
pub(super) struct Part<'a> {
    pub(super) kind: Kind<'a>,
    /// The values that alone are accepted, where they are listed.
    pub(super) values: Option<Vec<Json>>,
    /// What else must hold, each word for word.
    pub(super) facts: BTreeSet<String>,
}

/// The type, and what its keywords say.
#[derive(Clone, Debug)]
pub(super) enum Kind<'a> {
    Null,
    Bool,
    Number(Numbers),
    Text(Texts),
    List(Lists<'a>),
    Object(Objects<'a>),
}

#[derive(Clone, Debug, Default)]
pub(super) struct Numbers {
    pub(super) whole: bool,
    pub(super) range: Range,
    pub(super) multiples: Vec<f64>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Texts {
    pub(super) length: Length,
    /// Patterns and formats, as written.
    pub(super) forms: BTreeSet<String>,
    /// How the text is to be read: `contentEncoding`, `contentMediaType`. Another reading is another value.
    pub(super) reading: BTreeSet<String>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Lists<'a> {
    pub(super) first: Vec<All<'a>>,
    pub(super) rest: All<'a>,
    pub(super) length: Length,
    pub(super) unique: bool,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Objects<'a> {
    pub(super) properties: BTreeMap<String, All<'a>>,
    pub(super) required: BTreeSet<String>,
    pub(super) rest: All<'a>,
    pub(super) names: All<'a>,
    pub(super) length: Length,
    /// `patternProperties` as written; what they say of a property is not known here.
    pub(super) patterns: BTreeSet<String>,
}

/// A number of characters, items or properties.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Length {
    pub(super) min: u64,
    pub(super) max: Option<u64>,
}

impl Length {
    fn read(schema: &Json, min: &str, max: &str) -> Self {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a length written as 3.0")]
        let number = |key: &str| {
            let number = schema.get(key)?;
            number.as_u64().or_else(|| number.as_f64().map(|number| number as u64))
        };
        Self { min: number(min).unwrap_or(0), max: number(max) }
    }

    fn and(self, other: Self) -> Self {
        let max = match (self.max, other.max) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (one, other) => one.or(other),
        };
        Self { min: self.min.max(other.min), max }
    }

    pub(super) fn is_in(self, other: Self) -> bool {
        let below = other.max.is_none_or(|most| self.max.is_some_and(|own| own <= most));
        self.min >= other.min && below
    }

    pub(super) fn is_empty(self) -> bool {
        self.max.is_some_and(|max| self.min > max)
    }
}

impl<'a> Part<'a> {
    fn of(kind: Kind<'a>) -> Self {
        Self { kind, values: None, facts: BTreeSet::new() }
    }

    /// A part a type, with nothing said.
    pub(super) fn anything() -> Vec<Self> {
        let kinds = [
            Kind::Null,
            Kind::Bool,
            Kind::Number(Numbers::default()),
            Kind::Text(Texts::default()),
            Kind::List(Lists::default()),
            Kind::Object(Objects::default()),
        ];
        kinds.map(Self::of).into()
    }

    /// What the keywords of a schema say of itself, without those that combine schemas.
    pub(super) fn read(term: &Term<'a>) -> Vec<Self> {
        let schema = term.json();
        let types: Option<Vec<&str>> = match schema.get("type") {
            Some(Json::String(one)) => Some(vec![one.as_str()]),
            Some(Json::Array(all)) => Some(all.iter().filter_map(Json::as_str).collect()),
            _ => None,
        };
        let has = |ty: &str| types.as_ref().is_none_or(|types| types.contains(&ty));
        let mut parts = Vec::new();
        if has("null") {
            parts.push(Self::of(Kind::Null));
        }
        if has("boolean") {
            parts.push(Self::of(Kind::Bool));
        }
        if has("number") || has("integer") {
            parts.push(Self::of(Kind::Number(numbers(schema, !has("number")))));
        }
        if has("string") {
            parts.push(Self::of(Kind::Text(texts(schema))));
        }
        if has("array") {
            parts.push(Self::of(Kind::List(lists(term))));
        }
        if has("object") {
            parts.push(Self::of(Kind::Object(objects(term))));
        }
        let listed = match (schema.get("const"), schema.get("enum")) {
            (Some(constant), Some(Json::Array(all))) => {
                Some(all.iter().filter(|value| *value == constant).cloned().collect())
            }
            (Some(constant), _) => Some(vec![constant.clone()]),
            (None, Some(Json::Array(all))) => Some(all.clone()),
            _ => None,
        };
        if let Some(listed) = listed {
            for part in &mut parts {
                part.only(&listed);
            }
        }
        parts.retain(|part| part.values.as_ref().is_none_or(|values| !values.is_empty()));
        parts
    }

    /// Leaves of the values of this type those that are listed.
    fn only(&mut self, listed: &[Json]) {
        let of_type = listed.iter().filter(|value| self.kind.is_of(value));
        let kept: Vec<Json> = match &self.values {
            Some(values) => of_type.filter(|value| values.iter().any(|own| equal(own, value))).cloned().collect(),
            None => of_type.cloned().collect(),
        };
        self.values = Some(kept);
    }

    /// What satisfies both; nothing where the types differ.
    pub(super) fn and(&self, other: &Self) -> Option<Self> {
        let kind = self.kind.and(&other.kind)?;
        let mut both = Self { kind, values: self.values.clone(), facts: &self.facts | &other.facts };
        if let Some(values) = &other.values {
            both.only(values);
        }
        (!both.is_plainly_empty()).then_some(both)
    }

    /// Whether nothing satisfies it, as far as that shows without a look at other schemas.
    pub(super) fn is_plainly_empty(&self) -> bool {
        if self.values.as_ref().is_some_and(Vec::is_empty) {
            return true;
        }
        match &self.kind {
            Kind::Null | Kind::Bool => false,
            Kind::Number(numbers) => numbers.range.is_empty(numbers.whole),
            Kind::Text(texts) => texts.length.is_empty(),
            Kind::List(lists) => lists.length.is_empty(),
            Kind::Object(objects) => objects.length.is_empty(),
        }
    }

    /// All the values that there are, where they are few.
    pub(super) fn finite(&self) -> Option<Vec<Json>> {
        if let Some(values) = &self.values {
            return Some(values.clone());
        }
        match &self.kind {
            Kind::Null => Some(vec![Json::Null]),
            Kind::Bool => Some(vec![false.into(), true.into()]),
            Kind::Number(Numbers { whole: true, range, .. }) => range.whole_numbers(MOST_VALUES),
            _ => None,
        }
    }
}

impl Kind<'_> {
    /// Whether a value is of this type.
    pub(super) fn is_of(&self, value: &Json) -> bool {
        matches!(
            (self, value),
            (Kind::Null, Json::Null)
                | (Kind::Bool, Json::Bool(_))
                | (Kind::Number(_), Json::Number(_))
                | (Kind::Text(_), Json::String(_))
                | (Kind::List(_), Json::Array(_))
                | (Kind::Object(_), Json::Object(_))
        )
    }

    fn and(&self, other: &Self) -> Option<Self> {
        Some(match (self, other) {
            (Kind::Null, Kind::Null) => Kind::Null,
            (Kind::Bool, Kind::Bool) => Kind::Bool,
            (Kind::Number(a), Kind::Number(b)) => Kind::Number(Numbers {
                whole: a.whole || b.whole,
                range: a.range.and(&b.range),
                multiples: [a.multiples.as_slice(), &b.multiples].concat(),
            }),
            (Kind::Text(a), Kind::Text(b)) => Kind::Text(Texts {
                length: a.length.and(b.length),
                forms: &a.forms | &b.forms,
                reading: &a.reading | &b.reading,
            }),
            (Kind::List(a), Kind::List(b)) => Kind::List(a.and(b)),
            (Kind::Object(a), Kind::Object(b)) => Kind::Object(a.and(b)),
            _ => return None,
        })
    }
}

impl Numbers {
    /// Whether all of these are among `other`, as far as keywords say.
    pub(super) fn is_in(&self, other: &Self) -> bool {
        let whole = self.whole || self.multiples.iter().any(|multiple| is_multiple(*multiple, 1.0));
        let on_grid = |step: &f64| {
            let own = self.multiples.iter().any(|multiple| is_multiple(*multiple, *step));
            own || (whole && is_multiple(1.0, *step))
        };
        (whole || !other.whole) && self.range.is_in(&other.range, whole) && other.multiples.iter().all(on_grid)
    }
}

impl<'a> Lists<'a> {
    /// What an item at this place must satisfy.
    pub(super) fn item(&self, index: usize) -> &All<'a> {
        self.first.get(index).unwrap_or(&self.rest)
    }

    fn and(&self, other: &Self) -> Self {
        let count = self.first.len().max(other.first.len());
        Self {
            first: (0..count).map(|index| both(self.item(index), other.item(index))).collect(),
            rest: both(&self.rest, &other.rest),
            length: self.length.and(other.length),
            unique: self.unique || other.unique,
        }
    }
}

impl<'a> Objects<'a> {
    /// What the property of this name must satisfy, where patterns say nothing of it.
    pub(super) fn property(&self, name: &str) -> &All<'a> {
        self.properties.get(name).unwrap_or(&self.rest)
    }

    fn and(&self, other: &Self) -> Self {
        let names: BTreeSet<&String> = self.properties.keys().chain(other.properties.keys()).collect();
        let properties = names.into_iter().map(|name| (name.clone(), both(self.property(name), other.property(name))));
        Self {
            properties: properties.collect(),
            required: &self.required | &other.required,
            rest: both(&self.rest, &other.rest),
            names: both(&self.names, &other.names),
            length: self.length.and(other.length),
            patterns: &self.patterns | &other.patterns,
        }
    }
}

fn both<'a>(a: &All<'a>, b: &All<'a>) -> All<'a> {
    a.iter().chain(b).cloned().collect()
}

/// JSON Schema's equality: 1 and 1.0 are one number.
pub(super) fn equal(a: &Json, b: &Json) -> bool {
    match (a, b) {
        (Json::Number(a), Json::Number(b)) => super::number::order(a, b).is_eq(),
        (a, b) => a == b,
    }
}

fn numbers(schema: &Json, whole: bool) -> Numbers {
    let bound = |key: &str, open: bool| schema.get(key).and_then(|value| Bound::read(value, open));
    let closed = Range { min: bound("minimum", false), max: bound("maximum", false) };
    let open = Range { min: bound("exclusiveMinimum", true), max: bound("exclusiveMaximum", true) };
    let multiples = schema.get("multipleOf").and_then(Json::as_f64);
    Numbers { whole, range: closed.and(&open), multiples: multiples.into_iter().collect() }
}

fn texts(schema: &Json) -> Texts {
    let words = |keys: [&str; 2]| -> BTreeSet<String> {
        let said = keys.into_iter().filter_map(|key| Some(format!("{key}={}", schema.get(key)?)));
        said.collect()
    };
    Texts {
        length: Length::read(schema, "minLength", "maxLength"),
        forms: words(["pattern", "format"]),
        reading: words(["contentEncoding", "contentMediaType"]),
    }
}

fn lists<'a>(term: &Term<'a>) -> Lists<'a> {
    let schema = term.json();
    let count = schema.get("prefixItems").and_then(Json::as_array).map_or(0, Vec::len);
    let first = (0..count).filter_map(|index| term.child(|schema| schema.get("prefixItems")?.get(index)));
    Lists {
        first: first.map(one).collect(),
        rest: rest(term, "items"),
        length: Length::read(schema, "minItems", "maxItems"),
        unique: schema.get("uniqueItems") == Some(&Json::Bool(true)),
    }
}

fn objects<'a>(term: &Term<'a>) -> Objects<'a> {
    let schema = term.json();
    let members = |key: &str| schema.get(key).and_then(Json::as_object).into_iter().flatten();
    let names = schema.get("required").and_then(Json::as_array).into_iter().flatten();
    let property =
        |name: &String| term.child(|schema| schema.get("properties")?.get(name)).map(one).unwrap_or_default();
    Objects {
        properties: members("properties").map(|(name, _)| (name.clone(), property(name))).collect(),
        required: names.filter_map(Json::as_str).map(str::to_owned).collect(),
        rest: rest(term, "additionalProperties"),
        names: rest(term, "propertyNames"),
        length: Length::read(schema, "minProperties", "maxProperties"),
        patterns: members("patternProperties")
            .map(|(pattern, schema)| format!("{pattern}={}", fact(term, schema)))
            .collect(),
    }
}

fn rest<'a>(term: &Term<'a>, key: &str) -> All<'a> {
    term.child(|schema| schema.get(key)).map(one).unwrap_or_default()
}

/// The schema alone; nothing to satisfy where it accepts everything.
fn one(term: Term<'_>) -> All<'_> {
    if *term.json() == Json::Bool(true) { Vec::new() } else { vec![term] }
}
