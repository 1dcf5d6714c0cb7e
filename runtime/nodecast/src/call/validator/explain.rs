//! An error of `jsonschema` as findings: the place, what was expected, what came.

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::Value as Json;

use super::{MOST_ERRORS, view, words};
use crate::call::{Finding, escape, nearest};
use crate::wire::{MAX_JSON_INTEGER, Value, X_INTEGER, X_TAG};

/// The largest integer that JSON carries.
#[allow(clippy::cast_precision_loss, reason = "a float holds it exactly")]
const JSON_MAX: f64 = MAX_JSON_INTEGER as f64;

/// What an error is explained with: the schema and the value that was checked.
pub(super) struct Explainer<'a> {
    pub(super) schema: &'a Json,
    pub(super) value: &'a Value,
}

impl Explainer<'_> {
    /// The findings of all errors, without repetition.
    pub(super) fn explain_all(&self, errors: &[ValidationError<'_>]) -> Vec<Finding> {
        let (unevaluated, others): (Vec<_>, Vec<_>) =
            errors.iter().partition(|error| matches!(error.kind(), Kind::UnevaluatedProperties { .. }));
        let mut findings: Vec<Finding> = Vec::new();
        let mut add = |found: Finding| {
            if !findings.contains(&found) {
                findings.push(found);
            }
        };
        // What is no number of the type is beyond its bounds by the way.
        let is_mistyped = |error: &ValidationError<'_>| {
            is_bound(error.kind())
                && others.iter().any(|other| matches!(other.kind(), Kind::Type { .. }) && is_beside(error, other))
        };
        let told = others.iter().filter(|error| !is_mistyped(error));
        told.flat_map(|error| self.explain(error)).for_each(&mut add);
        // A field whose part of the schema failed counts as not evaluated; its own error says more.
        let is_known = |finding: &Finding| {
            let name = finding.pointer.rsplit('/').next().unwrap_or_default();
            finding.known.iter().any(|known| escape(known) == name)
        };
        let (known, unknown): (Vec<_>, Vec<_>) =
            unevaluated.iter().flat_map(|error| self.explain(error)).partition(is_known);
        unknown.into_iter().for_each(&mut add);
        if findings.is_empty() {
            findings = known;
        }
        findings
    }

    fn explain(&self, error: &ValidationError<'_>) -> Vec<Finding> {
        let pointer = error.instance_path().as_str();
        if let Some(finding) = self.within_array(pointer, error) {
            return vec![finding];
        }
        let parent = self.parent(error);
        if let Some(finding) = self.extension(pointer, error) {
            return vec![finding];
        }
        if parent.get(X_TAG).is_some()
            && let Some((outer, name)) = pointer.rsplit_once('/')
        {
            return vec![self.unknown(outer, &name.replace("~1", "/").replace("~0", "~"), self.around(error))];
        }
        match error.kind() {
            Kind::Required { property } => vec![self.missing(pointer, property, parent)],
            Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
                unexpected.iter().take(MOST_ERRORS).map(|name| self.unknown(pointer, name, parent)).collect()
            }
            // The error's path is that of the keyword which the key breaks, so `parent` is the schema of keys.
            Kind::PropertyNames { error } => {
                let key = error.instance().as_str().unwrap_or_default();
                let at = format!("{pointer}/{}", escape(key));
                let (_, expected) = self.scalar(error.kind(), parent);
                let mut found =
                    finding("map_key", at.clone(), format!("the key of `{at}` must be {expected}"), expected);
                let options = parent.get("enum").and_then(Json::as_array).into_iter().flatten();
                found.known = options.filter_map(Json::as_str).map(str::to_owned).collect();
                suggest(&mut found, key);
                vec![found]
            }
            Kind::AnyOf { context } | Kind::OneOfNotValid { context } => self.union(pointer, context, parent),
            kind => {
                let (name, expected) = self.scalar(kind, parent);
                let mut found = self.refusal(name, pointer, parent, expected);
                match kind {
                    Kind::Enum { options } => self.options(&mut found, pointer, options),
                    Kind::Type { .. } => self.beyond_exact(&mut found, parent),
                    _ => {}
                }
                vec![found]
            }
        }
    }

    /// The kind and the expectation of what one value breaks by itself.
    fn scalar(&self, kind: &Kind, parent: &Json) -> (&'static str, String) {
        let whole = || words::expected(self.schema, parent);
        match kind {
            Kind::Minimum { .. } => ("out_of_range", words::beyond(parent, "minimum").unwrap_or_else(whole)),
            Kind::Maximum { .. } => ("out_of_range", words::beyond(parent, "maximum").unwrap_or_else(whole)),
            Kind::ExclusiveMinimum { .. } | Kind::ExclusiveMaximum { .. } => ("out_of_range", whole()),
            Kind::MultipleOf { multiple_of } => ("out_of_range", format!("a multiple of {multiple_of}")),
            Kind::MinLength { limit } => ("out_of_range", format!("text of at least {limit} characters")),
            Kind::MaxLength { limit } => ("out_of_range", format!("text of at most {limit} characters")),
            Kind::MinItems { limit } => ("out_of_range", format!("a list of at least {limit} items")),
            Kind::MaxItems { limit } => ("out_of_range", format!("a list of at most {limit} items")),
            Kind::AdditionalItems { limit } => ("out_of_range", format!("a list of at most {limit} items")),
            Kind::UnevaluatedItems { .. } => ("out_of_range", "a list without further items".to_owned()),
            Kind::MinProperties { limit } => ("out_of_range", format!("an object of at least {limit} members")),
            Kind::MaxProperties { limit } => ("out_of_range", format!("an object of at most {limit} members")),
            Kind::Constant { expected_value } => ("not_an_option", expected_value.to_string()),
            Kind::Enum { options } => {
                ("not_an_option", options.as_array().map_or_else(whole, |options| words::one_of(options)))
            }
            Kind::Format { format } => ("wrong_type", format!("text of the format `{format}`")),
            Kind::Pattern { .. } if parent.get(X_INTEGER).is_some() => ("wrong_type", words::integer_text(parent)),
            Kind::Pattern { pattern } => ("wrong_type", format!("text that matches `{pattern}`")),
            Kind::UniqueItems => ("wrong_type", "a list that holds no item twice".to_owned()),
            Kind::OneOfMultipleValid { .. } => ("wrong_type", "a value of one form only".to_owned()),
            Kind::FalseSchema => ("wrong_type", "left out".to_owned()),
            _ => ("wrong_type", whole()),
        }
    }

    /// `pointer` must be `expected`, and what is there is not.
    pub(super) fn refusal(&self, kind: &'static str, pointer: &str, schema: &Json, expected: String) -> Finding {
        let value = self.value.pointer(pointer);
        let kind = match value {
            Some(Value::Ext(..)) => "wrong_type",
            _ if words::means_picture(self.schema, schema) => "bad_image",
            Some(Value::Array(_)) if words::is_marker(schema) => "bad_array",
            _ => kind,
        };
        let found = value.map_or_else(|| "something else".to_owned(), words::found);
        finding(kind, pointer.to_owned(), format!("`{pointer}` must be {expected}, got {found}"), expected)
    }

    /// A float that is whole, and too large to stand for one integer alone, is no integer; but that is its range.
    fn beyond_exact(&self, finding: &mut Finding, parent: &Json) {
        let is_whole =
            |value: &Value| matches!(value, Value::Float(number) if number.is_finite() && number.fract() == 0.0);
        if !words::takes_integers(parent) || !self.value.pointer(&finding.pointer).is_some_and(is_whole) {
            return;
        }
        finding.kind = "out_of_range";
        let most = parent.get("maximum").and_then(Json::as_f64);
        if most.is_none_or(|most| most > JSON_MAX) {
            finding.detail.push_str(
                "; JSON carries integers up to ±9007199254740991, and larger ones only as the text of a field that is \
                 declared `as_string`",
            );
        }
    }

    fn options(&self, finding: &mut Finding, pointer: &str, options: &Json) {
        let names = options.as_array().into_iter().flatten().filter_map(Json::as_str);
        finding.known = names.map(str::to_owned).collect();
        let sent = self.value.pointer(pointer).and_then(Value::as_text).unwrap_or_default();
        suggest(finding, sent);
    }

    fn missing(&self, pointer: &str, property: &Json, parent: &Json) -> Finding {
        let name = property.as_str().unwrap_or_default();
        let pointer = format!("{pointer}/{}", escape(name));
        let schema = parent.get("properties").and_then(|properties| properties.get(name)).unwrap_or(&Json::Null);
        let expected = words::expected(self.schema, schema);
        finding("missing_field", pointer.clone(), format!("`{pointer}` is missing; it must be {expected}"), expected)
    }

    fn unknown(&self, pointer: &str, name: &str, parent: &Json) -> Finding {
        let mut known = Vec::new();
        self.properties(parent, 0, &mut known);
        let at = format!("{pointer}/{}", escape(name));
        if let (true, Some(patterns)) = (known.is_empty(), parent.get("patternProperties").and_then(Json::as_object)) {
            let patterns: Vec<String> = patterns.keys().map(|pattern| format!("`{pattern}`")).collect();
            let expected = format!("a key that matches {}", patterns.join(" or "));
            return finding("map_key", at.clone(), format!("the key of `{at}` must be {expected}"), expected);
        }
        let mut finding = Finding {
            kind: "unknown_field",
            detail: format!("`{at}` is not known"),
            pointer: at,
            known,
            ..Finding::default()
        };
        if finding.known.iter().any(|known| known == name) {
            finding.detail = format!("`{}` does not belong to the other fields that were sent", finding.pointer);
            return finding;
        }
        suggest(&mut finding, name);
        if finding.nearest.is_none() {
            let names: Vec<String> = finding.known.iter().map(|name| format!("`{name}`")).collect();
            let known = if names.is_empty() { "there are no fields here".to_owned() } else { names.join(", ") };
            finding.detail = format!("{}; known are {known}", finding.detail);
        }
        finding
    }

    /// The names that an object schema lists, in its parts too.
    fn properties(&self, schema: &Json, depth: usize, known: &mut Vec<String>) {
        let schema = words::resolved(self.schema, schema);
        let own = schema.get("properties").and_then(Json::as_object);
        for name in own.into_iter().flat_map(|own| own.keys()) {
            if !known.contains(name) {
                known.push(name.clone());
            }
        }
        if depth < 4 {
            for union in ["allOf", "anyOf", "oneOf"] {
                for part in schema.get(union).and_then(Json::as_array).into_iter().flatten() {
                    self.properties(part, depth + 1, known);
                }
            }
        }
    }

    /// An error in what only the schema sees of an array is an error of the array.
    fn within_array(&self, pointer: &str, error: &ValidationError<'_>) -> Option<Finding> {
        let (outer, schema) = ["/dtype", "/shape", "/__ndarray__"].iter().find_map(|part| {
            let (outer, rest) = pointer.rsplit_once(part)?;
            let inside = rest.is_empty() || rest.starts_with('/');
            let is_array = matches!(self.value.pointer(outer), Some(Value::Array(_)));
            let (schema, _) = error.schema_path().as_str().rsplit_once(&format!("/properties{part}"))?;
            (inside && is_array).then_some((outer, schema))
        })?;
        let schema = self.schema.pointer(schema)?;
        Some(self.refusal("bad_array", outer, schema, words::array(self.schema, schema)))
    }

    /// What only the schema sees of an extension type has no members that could be missing, unknown or wrong.
    fn extension(&self, pointer: &str, error: &ValidationError<'_>) -> Option<Finding> {
        let member = pointer.strip_suffix(view::EXT).and_then(|outer| outer.strip_suffix('/'));
        let place = [Some(pointer), member].into_iter().flatten();
        let place = place.into_iter().find(|place| matches!(self.value.pointer(place), Some(Value::Ext(..))))?;
        let schema = match error.schema_path().as_str().rsplit_once("/additionalProperties") {
            Some((object, _)) if place != pointer => self.schema.pointer(object)?,
            _ => self.parent(error),
        };
        Some(self.refusal("wrong_type", place, schema, words::expected(self.schema, schema)))
    }

    /// The schema whose keyword the error is about.
    pub(super) fn parent(&self, error: &ValidationError<'_>) -> &Json {
        self.outer(error, 1)
    }

    /// The schema of the object whose members that one is about.
    fn around(&self, error: &ValidationError<'_>) -> &Json {
        self.outer(error, 2)
    }

    fn outer(&self, error: &ValidationError<'_>, levels: usize) -> &Json {
        let path = error.schema_path().as_str();
        let outer = path.rsplitn(levels + 1, '/').nth(levels).unwrap_or_default();
        self.schema.pointer(outer).unwrap_or(&Json::Null)
    }
}

/// Whether a keyword bounds a number.
fn is_bound(kind: &Kind) -> bool {
    matches!(
        kind,
        Kind::Minimum { .. }
            | Kind::Maximum { .. }
            | Kind::ExclusiveMinimum { .. }
            | Kind::ExclusiveMaximum { .. }
            | Kind::MultipleOf { .. }
    )
}

/// Whether two errors are those of one schema about one value.
fn is_beside(error: &ValidationError<'_>, other: &ValidationError<'_>) -> bool {
    let schema = |error: &ValidationError<'_>| {
        let path = error.schema_path().as_str();
        path.rsplit_once('/').map_or(path, |(schema, _)| schema).to_owned()
    };
    error.instance_path().as_str() == other.instance_path().as_str() && schema(error) == schema(other)
}

pub(super) fn finding(kind: &'static str, pointer: String, detail: String, expected: String) -> Finding {
    Finding { kind, pointer, detail, expected: Some(expected), ..Finding::default() }
}

/// Adds the known name that was most likely meant.
pub(super) fn suggest(finding: &mut Finding, sent: &str) {
    finding.nearest = nearest(sent, finding.known.iter().map(String::as_str)).map(str::to_owned);
    if let Some(nearest) = &finding.nearest {
        finding.detail = format!("{}; did you mean `{nearest}`?", finding.detail);
    }
}
