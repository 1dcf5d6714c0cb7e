//! Whether every value that one schema accepts is accepted by another.
//!
//! A schema is taken apart into a union of [`Part`](part::Part)s, each of one JSON type, and parts are compared keyword by keyword. The
//! answer errs on one side: `true` is a proof, `false` may mean that none was found. Keywords that are not compared
//! (`not`, `if`, `contains` …) count as facts that a part must have word for word.

mod compare;
mod number;
mod part;
mod union;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::{Map, Value as Json, json};

use crate::schema::{is_words, walk};

/// Steps of one question. Real schemas take some hundreds; what takes more counts as not proven.
const STEPS: u32 = 20_000;

/// A schema, and the document that its references lead into.
#[derive(Clone, Debug)]
pub(super) struct Term<'a> {
    schema: Held<'a>,
    /// The document.
    pub(super) root: &'a Json,
}

#[derive(Clone, Debug)]
enum Held<'a> {
    Borrowed(&'a Json),
    Made(Rc<Json>),
}

/// Schemas that a value must satisfy all; none for anything at all.
type All<'a> = Vec<Term<'a>>;

/// How the values of two schemas lie to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    /// The same values.
    Same,
    /// The newer accepts all that the older did, and more.
    Wider,
    /// The newer accepts only what the older did.
    Narrower,
    /// Neither, or nobody can tell.
    Other,
}

impl<'a> Term<'a> {
    /// A whole document.
    pub(super) fn document(root: &'a Json) -> Self {
        Self { schema: Held::Borrowed(root), root }
    }

    /// A schema inside this one.
    pub(super) fn child(&self, find: impl for<'j> Fn(&'j Json) -> Option<&'j Json>) -> Option<Self> {
        match &self.schema {
            Held::Borrowed(schema) => find(schema).map(|schema| self.within(schema)),
            Held::Made(schema) => find(schema).map(|schema| self.made(schema.clone())),
        }
    }

    fn within(&self, schema: &'a Json) -> Self {
        Self { schema: Held::Borrowed(schema), root: self.root }
    }

    /// A schema made for a question, whose references lead into this one's document.
    pub(super) fn made(&self, schema: Json) -> Self {
        Self { schema: Held::Made(Rc::new(schema)), root: self.root }
    }

    /// The schema.
    pub(super) fn json(&self) -> &Json {
        match &self.schema {
            Held::Borrowed(schema) => schema,
            Held::Made(schema) => schema,
        }
    }

    /// What a reference leads to; nothing where it leads out of the document.
    pub(super) fn target(&self, reference: &str) -> Option<Self> {
        let pointer = reference.strip_prefix('#')?;
        self.root.pointer(pointer).map(|schema| self.within(schema))
    }

    /// Its address: what a question in progress is known by.
    fn address(&self) -> usize {
        std::ptr::from_ref(self.json()).addr()
    }

    /// The schema as a document of its own, for a validator. One that is no whole document keeps the definitions alone.
    fn standalone(&self) -> Json {
        if std::ptr::eq(self.json(), self.root) {
            return self.root.clone();
        }
        let mut document = Map::new();
        if let Some(definitions) = self.root.get("$defs") {
            document.insert("$defs".to_owned(), definitions.clone());
        }
        document.insert("allOf".to_owned(), Json::Array(vec![self.json().clone()]));
        Json::Object(document)
    }
}

/// How the values of `new` lie to those of `old`.
pub(super) fn relation(old: &Term<'_>, new: &Term<'_>) -> Relation {
    match (is_in(old, new), is_in(new, old)) {
        (true, true) => Relation::Same,
        (true, false) => Relation::Wider,
        (false, true) => Relation::Narrower,
        (false, false) => Relation::Other,
    }
}

/// Whether every value of `sub` is one of `sup`.
pub(super) fn is_in(sub: &Term<'_>, sup: &Term<'_>) -> bool {
    Question::default().is_in(&vec![sub.clone()], &vec![sup.clone()])
}

/// One question in the making: what is being asked further out, and how many steps are left.
struct Question {
    /// Questions that are being answered. One that comes up within itself is about smaller values, so that what is to be
    /// shown may be assumed.
    open: Vec<(Vec<usize>, Vec<usize>)>,
    left: Cell<u32>,
    /// Schemas without words, by address.
    plain: BTreeMap<usize, Rc<Json>>,
    /// Validators of what finite values are asked against, by address.
    validators: BTreeMap<usize, Option<Rc<jsonschema::Validator>>>,
}

impl Default for Question {
    fn default() -> Self {
        Self { open: Vec::new(), left: Cell::new(STEPS), plain: BTreeMap::new(), validators: BTreeMap::new() }
    }
}

impl Question {
    /// Takes a step; false when there are none left.
    fn step(&self) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        left > 0
    }

    /// Whether two schemas are the same but for words, each looked through once.
    fn is_same(&mut self, a: &Term<'_>, b: &Term<'_>) -> bool {
        let mut plain = |term: &Term<'_>| match term.schema {
            Held::Made(_) => Rc::new(canonical(term.json())),
            Held::Borrowed(_) => {
                self.plain.entry(term.address()).or_insert_with(|| Rc::new(canonical(term.json()))).clone()
            }
        };
        let (own, other) = (plain(a), plain(b));
        own == other && (!refers(&own) || definitions(a.root) == definitions(b.root))
    }

    /// Whether a value satisfies all of these schemas, by a validator; nothing where one of them is no schema.
    fn admits(&mut self, all: &All<'_>, value: &Json) -> Option<bool> {
        let mut admitted = true;
        for term in all {
            let made = || validator(&term.standalone());
            let validator = match term.schema {
                // The address of what was made for this question may be another's later.
                Held::Made(_) => made(),
                Held::Borrowed(_) => self.validators.entry(term.address()).or_insert_with(made).clone(),
            };
            admitted &= validator?.is_valid(value);
        }
        Some(admitted)
    }
}

fn validator(document: &Json) -> Option<Rc<jsonschema::Validator>> {
    let options = jsonschema::options().with_draft(jsonschema::Draft::Draft202012).should_validate_formats(true);
    options.offline().build(document).ok().map(Rc::new)
}

/// A schema without what says nothing about which values are accepted.
fn canonical(schema: &Json) -> Json {
    let Json::Object(members) = schema else { return schema.clone() };
    let mut kept = BTreeMap::new();
    for (key, member) in members {
        let schemas = |members: &Map<String, Json>| -> Json {
            let sorted: BTreeMap<_, _> =
                members.iter().map(|(name, schema)| (name.clone(), canonical(schema))).collect();
            sorted.into_iter().collect::<Map<_, _>>().into()
        };
        let member = match (key.as_str(), member) {
            // Definitions are compared where a reference leads to them.
            (key, _) if is_words(key) || key == "$defs" => continue,
            (
                "properties" | "patternProperties" | "dependentSchemas" | "dependencies" | "definitions",
                Json::Object(members),
            ) => schemas(members),
            ("allOf" | "anyOf" | "oneOf" | "prefixItems", Json::Array(all)) => all.iter().map(canonical).collect(),
            ("required", Json::Array(names)) => {
                let mut names = names.clone();
                names.sort_by_key(ToString::to_string);
                names.into()
            }
            ("enum" | "const", member) => member.clone(),
            (_, member @ Json::Object(_)) => canonical(member),
            (_, member) => member.clone(),
        };
        kept.insert(key.clone(), member);
    }
    kept.into_iter().collect::<Map<_, _>>().into()
}

/// Whether two schemas are the same but for words, and so are the definitions that they may lead to.
pub(super) fn is_same(a: &Term<'_>, b: &Term<'_>) -> bool {
    let own = canonical(a.json());
    own == canonical(b.json()) && (!refers(&own) || definitions(a.root) == definitions(b.root))
}

/// A schema as a fact that holds or does not: the same text only where the same values are meant.
fn fact(term: &Term<'_>, schema: &Json) -> String {
    let own = canonical(schema);
    if refers(&own) { format!("{own} with {}", definitions(term.root)) } else { own.to_string() }
}

/// What references may lead to, but for words.
fn definitions(root: &Json) -> Json {
    let elsewhere = |schema: &Json| {
        let reference = schema.get("$ref").and_then(Json::as_str);
        reference.is_some_and(|reference| !reference.starts_with("#/$defs/"))
    };
    let schemas = root.get("$defs").and_then(Json::as_object).into_iter().flatten();
    let sorted: BTreeMap<_, _> = schemas.map(|(name, schema)| (name.clone(), canonical(schema))).collect();
    let definitions = sorted.into_iter().collect::<Map<_, _>>().into();
    // Only documents written by hand point elsewhere, which may be anywhere.
    if walk::any(root, &elsewhere) { json!([canonical(root), definitions]) } else { definitions }
}

/// Whether a reference stands anywhere in a schema.
fn refers(schema: &Json) -> bool {
    walk::any(schema, &|schema| schema.get("$ref").is_some() || schema.get("$dynamicRef").is_some())
}
