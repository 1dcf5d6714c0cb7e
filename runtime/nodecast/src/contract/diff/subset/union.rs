//! A schema taken apart: `anyOf`, `oneOf`, `allOf` and `$ref` put into a union of parts.

use serde_json::Value as Json;

use super::part::{Kind, Part};
use super::{All, Question, Term, fact};

/// A union of more parts than this is not looked into.
const MOST_PARTS: usize = 256;

/// Keywords that are compared word for word, and what belongs to each.
const FACTS: [(&str, &[&str]); 7] = [
    ("not", &[]),
    ("if", &["then", "else"]),
    ("contains", &["minContains", "maxContains"]),
    ("dependentRequired", &[]),
    ("dependentSchemas", &[]),
    ("$dynamicRef", &[]),
    ("dependencies", &[]),
];

/// Keywords whose meaning hangs on all that stands beside them.
const WHOLE: [&str; 2] = ["unevaluatedProperties", "unevaluatedItems"];

impl Question {
    /// The parts of what satisfies all of these schemas; nothing where they are too many to tell.
    pub(super) fn parts<'a>(&self, all: &All<'a>) -> Option<Vec<Part<'a>>> {
        let mut parts = Part::anything();
        for term in all {
            parts = meet(&parts, &self.expand(term, &mut Vec::new())?)?;
        }
        Some(parts)
    }

    /// `within` holds the references that are being followed, since a chain of them may lead nowhere.
    fn expand<'a>(&self, term: &Term<'a>, within: &mut Vec<usize>) -> Option<Vec<Part<'a>>> {
        let schema = term.json();
        if !self.step() {
            return None;
        }
        match schema {
            Json::Bool(true) => return Some(Part::anything()),
            Json::Bool(false) => return Some(Vec::new()),
            _ => {}
        }
        let mut parts = Part::read(term);
        for (keyword, beside) in FACTS {
            if schema.get(keyword).is_some() {
                let said: serde_json::Map<String, Json> = std::iter::once(&keyword)
                    .chain(beside)
                    .filter_map(|key| Some(((*key).to_owned(), schema.get(*key)?.clone())))
                    .collect();
                let fact = fact(term, &Json::Object(said));
                state(&mut parts, &fact);
            }
        }
        if WHOLE.iter().any(|keyword| schema.get(keyword).is_some()) {
            let fact = fact(term, schema);
            state(&mut parts, &fact);
        }
        if let Some(reference) = schema.get("$ref").and_then(Json::as_str) {
            let target = term.target(reference)?;
            let address = target.address();
            if within.contains(&address) {
                return None;
            }
            within.push(address);
            let reached = self.expand(&target, within);
            within.pop();
            parts = meet(&parts, &reached?)?;
        }
        for branch in branches(term, "allOf") {
            parts = meet(&parts, &self.expand(&branch, within)?)?;
        }
        for keyword in ["anyOf", "oneOf"] {
            if schema.get(keyword).is_none() {
                continue;
            }
            let unions: Option<Vec<_>> =
                branches(term, keyword).iter().map(|branch| self.expand(branch, within)).collect();
            let unions = unions?;
            // Where no two branches accept one value, exactly one is as good as any.
            let is_exact = keyword == "anyOf" || self.are_apart(&unions);
            let mut union = unions.concat();
            if !is_exact {
                let said = serde_json::json!({ keyword: schema.get(keyword) });
                let fact = fact(term, &said);
                state(&mut union, &fact);
            }
            parts = meet(&parts, &union)?;
        }
        (parts.len() <= MOST_PARTS).then_some(parts)
    }

    /// Whether no value is in two of these unions, as far as can be told.
    fn are_apart(&self, unions: &[Vec<Part<'_>>]) -> bool {
        unions.iter().enumerate().all(|(index, one)| {
            let others = unions.iter().skip(index + 1).flatten();
            let mut pairs = others.flat_map(|other| one.iter().map(move |own| (own, other)));
            pairs.all(|(own, other)| self.step() && self.is_apart(own, other, 4))
        })
    }

    /// Whether no value satisfies both parts; looked for in properties `depth` levels down.
    fn is_apart(&self, a: &Part<'_>, b: &Part<'_>, depth: u32) -> bool {
        let Some(both) = a.and(b) else { return true };
        let (Kind::Object(a), Kind::Object(b), Kind::Object(both)) = (&a.kind, &b.kind, &both.kind) else {
            return false;
        };
        // One that either asks for, and that cannot be what both say of it.
        depth > 0
            && both.required.iter().any(|name| {
                let (Some(a), Some(b)) = (self.parts(a.property(name)), self.parts(b.property(name))) else {
                    return false;
                };
                // What patterns say of a property is not known.
                both.patterns.is_empty() && a.iter().all(|a| b.iter().all(|b| self.is_apart(a, b, depth - 1)))
            })
    }
}

fn branches<'a>(term: &Term<'a>, keyword: &'static str) -> Vec<Term<'a>> {
    let count = term.json().get(keyword).and_then(Json::as_array).map_or(0, Vec::len);
    (0..count).filter_map(|index| term.child(|schema| schema.get(keyword)?.get(index))).collect()
}

/// Adds a fact to all parts.
fn state(parts: &mut [Part<'_>], fact: &str) {
    for part in parts {
        part.facts.insert(fact.to_owned());
    }
}

/// What is in both unions; nothing where that would be too many parts.
fn meet<'a>(a: &[Part<'a>], b: &[Part<'a>]) -> Option<Vec<Part<'a>>> {
    let parts: Vec<_> = a.iter().flat_map(|a| b.iter().filter_map(|b| a.and(b))).take(MOST_PARTS + 1).collect();
    (parts.len() <= MOST_PARTS).then_some(parts)
}
