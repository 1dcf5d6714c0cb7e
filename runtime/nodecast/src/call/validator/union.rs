//! A value that fits no branch of a union: the finding of the branch that was meant, where one can be told.

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::Value as Json;

use super::explain::{Explainer, suggest};
use super::words;
use crate::call::Finding;
use crate::wire::Value;

type Errors = Vec<ValidationError<'static>>;

/// How far a value got into a branch; the smallest is the branch that was meant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// Only something inside is wrong.
    Inside,
    /// Names at the place itself are wrong.
    Names,
    /// The branch is of another type, or has another tag.
    Elsewhere,
}

impl Explainer<'_> {
    pub(super) fn union(&self, pointer: &str, branches: &[Errors], parent: &Json) -> Vec<Finding> {
        if words::means_picture(self.schema, parent)
            && let Some(Value::Array(array)) = self.value.pointer(pointer)
        {
            // Which keyword of the array's form it breaks says less than the shapes of pictures.
            let mut found = self.refusal("bad_image", pointer, parent, words::expected(self.schema, parent));
            if array.shape().contains(&0) {
                found.detail.push_str("; each extent of a picture is at least 1");
            }
            return vec![found];
        }
        // An `Option`: null is seldom what was meant.
        let mut meant = branches.iter().zip(self.branches(parent)).filter(|(_, schema)| !is_null(schema));
        if let (Some((errors, _)), None) = (meant.next(), meant.next()) {
            return self.explain_all(errors);
        }
        if let Some(finding) = self.tags(pointer, branches, parent) {
            return vec![finding];
        }
        let meant = branches.iter().map(|errors| (fit(pointer, errors), errors.len(), errors)).min_by_key(|meant| {
            let (fit, count, _) = meant;
            (*fit, *count)
        });
        match meant {
            Some((Fit::Inside | Fit::Names, _, errors)) => self.explain_all(errors),
            _ => vec![self.refusal("wrong_type", pointer, parent, words::expected(self.schema, parent))],
        }
    }

    /// A union whose branches are told apart by a tag is an option that is not known, when no tag fits.
    fn tags(&self, pointer: &str, branches: &[Errors], parent: &Json) -> Option<Finding> {
        let value = self.value.pointer(pointer)?;
        let mut known = Vec::new();
        let mut at = None;
        for (errors, schema) in branches.iter().zip(self.branches(parent)) {
            // An object is told apart by its members, not by what it is not.
            let tag = errors.iter().find_map(|error| tag(pointer, error));
            match tag.filter(|(place, _)| place != pointer || value.as_text().is_some()) {
                Some((place, options)) => {
                    if *at.get_or_insert_with(|| place.clone()) != place {
                        return None;
                    }
                    known.extend(options);
                }
                // `{"Variant": content}`: the key is the tag.
                None => match (value, schema.get("required").and_then(Json::as_array).map(Vec::as_slice)) {
                    (Value::Map(map), Some([Json::String(key)])) if at.is_none() && !map.contains_key(key) => {
                        known.push(key.clone());
                    }
                    (Value::Map(_), _) if is_plain(schema) => {}
                    _ => return None,
                },
            }
        }
        if known.len() < 2 {
            return None;
        }
        let words: Vec<String> = known.iter().map(|name| format!("{name:?}")).collect();
        let words = words.join(", ");
        let (place, expected, sent) = match (at, value) {
            (None, Value::Map(map)) => {
                let sent = map.iter().find_map(|(key, _)| key.as_text()).unwrap_or_default();
                (pointer.to_owned(), format!("an object with one of the keys {words}"), sent.to_owned())
            }
            (at, _) => {
                let place = at?;
                let sent = self.value.pointer(&place).and_then(Value::as_text).unwrap_or_default().to_owned();
                (place, format!("one of {words}"), sent)
            }
        };
        let mut finding = self.refusal("not_an_option", &place, &Json::Null, expected);
        finding.known = known;
        suggest(&mut finding, &sent);
        Some(finding)
    }

    fn branches<'s>(&'s self, parent: &'s Json) -> impl Iterator<Item = &'s Json> {
        let branches = parent.get("oneOf").or_else(|| parent.get("anyOf")).and_then(Json::as_array);
        branches.into_iter().flatten().map(|branch| words::resolved(self.schema, branch))
    }
}

fn is_null(schema: &Json) -> bool {
    schema.get("type").is_some_and(|ty| ty == "null")
}

/// Whether a branch is for text or null alone.
fn is_plain(schema: &Json) -> bool {
    schema.get("type").is_some_and(|ty| ty == "string" || ty == "null")
        || schema.get("const").is_some_and(|constant| !constant.is_object())
}

/// The place of a tag that did not fit, and what it could have been: a text at the value itself or one member down.
fn tag(pointer: &str, error: &ValidationError<'static>) -> Option<(String, Vec<String>)> {
    let place = error.instance_path().as_str();
    let below = place.strip_prefix(pointer)?;
    if below.matches('/').count() > 1 {
        return None;
    }
    let options: Vec<String> = match error.kind() {
        Kind::Constant { expected_value } => vec![expected_value.as_str()?.to_owned()],
        Kind::Enum { options } => options.as_array()?.iter().filter_map(Json::as_str).map(str::to_owned).collect(),
        _ => return None,
    };
    (!options.is_empty()).then(|| (place.to_owned(), options))
}

fn fit(pointer: &str, errors: &Errors) -> Fit {
    let worst = errors.iter().map(|error| match error.kind() {
        _ if tag(pointer, error).is_some() => Fit::Elsewhere,
        _ if error.instance_path().as_str() != pointer => Fit::Inside,
        Kind::Required { .. } | Kind::AdditionalProperties { .. } | Kind::UnevaluatedProperties { .. } => Fit::Names,
        Kind::Type { .. } | Kind::Constant { .. } | Kind::Enum { .. } | Kind::FalseSchema => Fit::Elsewhere,
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
            context.iter().map(|errors| fit(pointer, errors)).min().unwrap_or(Fit::Elsewhere)
        }
        _ => Fit::Inside,
    });
    worst.max().unwrap_or(Fit::Elsewhere)
}
