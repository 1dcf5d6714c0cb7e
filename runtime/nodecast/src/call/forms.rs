//! How the values of one field are checked, and read where JSON carries its numbers in another form (`wire.md` 4).
//!
//! A value that has passed the check is read by the schema that it passed: decimal text becomes the integer and null
//! the number that is not finite, so that a node's types never see the form. On the way out the value alone says what
//! is an integer.

use serde_json::{Map, Value as Json};

use super::validator::key_name;
use super::{Finding, Validator};
use crate::decl::JsonForm;
use crate::wire::{Integer, Regime, Value, X_INTEGER, X_NOT_FINITE};

/// The check of one field in both regimes.
#[derive(Debug)]
pub struct FieldCheck {
    native: Reading,
    json: Option<Reading>,
}

impl FieldCheck {
    /// Checks against the schema `native`; in JSON against the schema `json`, where that one is another.
    ///
    /// The error says what is wrong with a schema.
    pub fn new(native: &Json, json: Option<&Json>) -> Result<Self, String> {
        Ok(Self { native: Reading::new(native)?, json: json.map(Reading::new).transpose()? })
    }

    /// What is wrong with a value as it was sent in this regime.
    pub fn findings(&self, value: &Value, regime: Regime) -> Vec<Finding> {
        self.of(regime).validator.findings(value)
    }

    /// Reads a value in which nothing is wrong.
    pub fn read(&self, value: &mut Value, regime: Regime) {
        let reading = self.of(regime);
        if let Some(part) = &reading.part {
            part.read(value, &reading.definitions);
        }
    }

    fn of(&self, regime: Regime) -> &Reading {
        match (regime, &self.json) {
            (Regime::Json, Some(json)) => json,
            _ => &self.native,
        }
    }
}

/// Puts a value into the form in which JSON carries its numbers; every face writes what comes out of here.
pub(super) fn write(value: &mut Value, form: JsonForm) {
    if form == JsonForm::PLAIN {
        return;
    }
    match value {
        Value::Int(number) if form.integers_as_text => *value = Value::Text(number.to_string()),
        Value::Float(number) if form.non_finite_as_null && !number.is_finite() => *value = Value::Null,
        Value::List(items) => items.iter_mut().for_each(|item| write(item, form)),
        Value::Map(map) => map.iter_mut().for_each(|(_, value)| write(value, form)),
        _ => {}
    }
}

#[derive(Debug)]
struct Reading {
    validator: Validator,
    /// None where values are what they stand for.
    part: Option<Part>,
    definitions: Vec<(String, Part)>,
}

impl Reading {
    fn new(schema: &Json) -> Result<Self, String> {
        let validator = Validator::new(schema)?;
        let text = schema.to_string();
        if !text.contains(X_INTEGER) && !text.contains(X_NOT_FINITE) {
            return Ok(Self { validator, part: None, definitions: Vec::new() });
        }
        let shared = schema.get("$defs").and_then(Json::as_object).cloned().unwrap_or_default();
        let mut definitions = Vec::new();
        for (name, definition) in &shared {
            definitions.push((name.clone(), Part::of(definition, &shared)?));
        }
        Ok(Self { validator, part: Some(Part::of(schema, &shared)?), definitions })
    }
}

/// What a schema says of the forms in a value and its parts; keyword for keyword.
#[derive(Debug, Default)]
struct Part {
    leaf: Option<Leaf>,
    /// The name of a definition.
    reference: Option<String>,
    members: Vec<(String, Part)>,
    patterns: Vec<(Validator, Part)>,
    other_members: Option<Box<Part>>,
    first_items: Vec<Part>,
    items: Option<Box<Part>>,
    all: Vec<Part>,
    /// Of which the first that the value fits is meant, as serde tries them.
    any: Vec<(Validator, Part)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leaf {
    Integer,
    NotFinite,
}

impl Part {
    fn of(schema: &Json, shared: &Map<String, Json>) -> Result<Self, String> {
        let mut part = Self::default();
        let Json::Object(keywords) = schema else { return Ok(part) };
        let parts = |schemas: &Json| match schemas {
            Json::Array(schemas) => schemas.iter().map(|schema| Self::of(schema, shared)).collect::<Result<_, _>>(),
            _ => Ok(Vec::new()),
        };
        let one = |schema: &Json| Self::of(schema, shared).map(|part| (!part.is_empty()).then(|| Box::new(part)));
        for (keyword, schema) in keywords {
            match (keyword.as_str(), schema) {
                (X_INTEGER, _) => part.leaf = Some(Leaf::Integer),
                (X_NOT_FINITE, _) => part.leaf = Some(Leaf::NotFinite),
                ("$ref", Json::String(reference)) => {
                    part.reference = reference.strip_prefix("#/$defs/").map(str::to_owned);
                }
                ("properties", Json::Object(members)) => {
                    for (name, schema) in members {
                        part.members.push((name.clone(), Self::of(schema, shared)?));
                    }
                }
                ("patternProperties", Json::Object(patterns)) => {
                    for (pattern, schema) in patterns {
                        let names = Validator::new(&serde_json::json!({"type": "string", "pattern": pattern}))?;
                        part.patterns.push((names, Self::of(schema, shared)?));
                    }
                }
                ("additionalProperties", schema) => part.other_members = one(schema)?,
                ("prefixItems", schemas) => part.first_items = parts(schemas)?,
                ("items", schema) => part.items = one(schema)?,
                ("allOf", schemas) => part.all = parts(schemas)?,
                ("anyOf" | "oneOf", Json::Array(schemas)) => {
                    for schema in schemas {
                        part.any.push((branch(schema, shared)?, Self::of(schema, shared)?));
                    }
                }
                _ => {}
            }
        }
        if part.any.iter().all(|(_, part)| part.is_empty()) {
            part.any.clear();
        }
        Ok(part)
    }

    fn is_empty(&self) -> bool {
        self.leaf.is_none()
            && self.reference.is_none()
            && self.other_members.is_none()
            && self.items.is_none()
            && self.any.is_empty()
            && self.members.iter().all(|(_, part)| part.is_empty())
            && self.patterns.iter().all(|(_, part)| part.is_empty())
            && self.first_items.iter().all(Self::is_empty)
            && self.all.iter().all(Self::is_empty)
    }

    fn read(&self, value: &mut Value, definitions: &[(String, Self)]) {
        // Which branches are meant is seen in the value as it was sent.
        let mut parts = Vec::new();
        self.gather(value, definitions, &mut parts);
        for part in parts {
            part.read_own(value, definitions);
        }
    }

    /// This part and all that say something of the same value.
    fn gather<'p>(&'p self, value: &Value, definitions: &'p [(String, Self)], parts: &mut Vec<&'p Self>) {
        parts.push(self);
        let definition = |name: &String| definitions.iter().find(|(known, _)| known == name).map(|(_, part)| part);
        for part in self.reference.as_ref().and_then(definition).into_iter().chain(&self.all) {
            part.gather(value, definitions, parts);
        }
        let mut fits = self.any.iter().filter(|(branch, _)| branch.accepts(value)).map(|(_, part)| part).peekable();
        let first = fits.peek().copied();
        // The null of an option is nothing; only where there is no such thing it is a number.
        let nothing = fits.find(|part| value.is_null() && part.is_empty());
        if let Some(part) = nothing.or(first) {
            part.gather(value, definitions, parts);
        }
    }

    fn read_own(&self, value: &mut Value, definitions: &[(String, Self)]) {
        match (self.leaf, value) {
            (Some(Leaf::Integer), value @ Value::Text(_)) => {
                // What is wider stays text, which the integers of 128 bits decode from.
                let number = value.as_text().and_then(|text| text.parse::<i128>().ok());
                if let Some(number) = number.and_then(|number| Integer::try_from(number).ok()) {
                    *value = Value::Int(number);
                }
            }
            (Some(Leaf::NotFinite), value @ Value::Null) => *value = Value::Float(f64::NAN),
            (_, Value::List(items)) => {
                for (at, item) in items.iter_mut().enumerate() {
                    if let Some(part) = self.first_items.get(at).or(self.items.as_deref()) {
                        part.read(item, definitions);
                    }
                }
            }
            (_, Value::Map(map)) => {
                for (key, value) in map.iter_mut() {
                    if let Some(part) = self.member(key) {
                        part.read(value, definitions);
                    }
                }
            }
            _ => {}
        }
    }

    fn member(&self, key: &Value) -> Option<&Self> {
        let named = || self.members.iter().find(|(name, _)| key.as_text() == Some(name));
        let matching = || self.patterns.iter().find(|(names, _)| names.accepts(&Value::from(&*key_name(key))));
        let known = named().map(|(_, part)| part).or_else(|| matching().map(|(_, part)| part));
        known.or(self.other_members.as_deref())
    }
}

/// The validator of one branch of a union, which may refer to what the whole defines.
fn branch(schema: &Json, shared: &Map<String, Json>) -> Result<Validator, String> {
    let mut alone = schema.clone();
    if let (Json::Object(members), false) = (&mut alone, shared.is_empty()) {
        members.insert("$defs".to_owned(), Json::Object(shared.clone()));
    }
    Validator::new(&alone)
}
