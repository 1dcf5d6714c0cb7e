//! A form that the client shows its user: the fields of a struct.

use std::fmt;
use std::marker::PhantomData;

use schemars::{JsonSchema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use super::{Answer, Ask, next, passed};
use crate::Error;
use crate::call::{FieldCheck, Question, Request, Stage};
use crate::schema;
use crate::wire::{self, Regime, Value};

/// Asks the user to fill in a struct.
///
/// Its fields are texts, numbers, bools, enums of unit variants and lists of these; `#[serde(default)]` gives a field a
/// default that the form shows, an `Option` may be left empty, and docs or titles of an enum's variants are what people
/// choose from.
pub struct Form<T> {
    key: String,
    message: String,
    answer: PhantomData<fn() -> T>,
}

impl<T: DeserializeOwned + JsonSchema> Form<T> {
    /// A form with its key in the call, and what the user reads above it.
    pub fn new(key: impl Into<String>, message: impl Into<String>) -> Self {
        Self { key: key.into(), message: message.into(), answer: PhantomData }
    }
}

impl<T: DeserializeOwned + JsonSchema + 'static> Ask for Form<T> {
    type Answer = Answer<T>;

    fn questions(&self, into: &mut Vec<Question>) -> Result<(), Error> {
        let reader = Reader::<T>::new().map_err(|problem| {
            let detail = format!("the form `{}` cannot be asked: {problem}", self.key);
            Error::at(Stage::InternalRuntime, "bad_declaration", detail)
        })?;
        let request = Request::Form { message: self.message.clone(), schema: reader.schema.clone() };
        into.push(Question::new(&self.key, request, move |result| reader.read(result).map(drop)));
        Ok(())
    }

    fn read(self, results: &mut dyn Iterator<Item = Json>) -> Result<Answer<T>, Error> {
        let result = next(results)?;
        passed(Reader::<T>::new().and_then(|reader| reader.read(&result)))
    }
}

impl<T> fmt::Debug for Form<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Form").field("key", &self.key).field("message", &self.message).finish()
    }
}

/// Checks a filled form against what was shown, and makes the struct of it.
struct Reader<T> {
    schema: Json,
    check: FieldCheck,
    answer: PhantomData<fn() -> T>,
}

impl<T: DeserializeOwned + JsonSchema> Reader<T> {
    fn new() -> Result<Self, String> {
        let schema = schema::form(SchemaGenerator::subschema_for::<T>).map_err(|defect| defect.to_string())?;
        Ok(Self { check: FieldCheck::new(&schema, None)?, schema, answer: PhantomData })
    }

    fn read(&self, result: &Json) -> Result<Answer<T>, String> {
        Answer::read(result, |content| {
            let content = content.cloned().unwrap_or_else(|| Json::Object(serde_json::Map::new()));
            let mut content = Value::from_json(self.filled(content)).map_err(|error| error.detail)?;
            if let Some(finding) = self.check.findings(&content, Regime::Json).into_iter().next() {
                return Err(finding.detail);
            }
            self.check.read(&mut content, Regime::Json);
            wire::from_value(content).map_err(|error| error.detail)
        })
    }

    /// The content without what is none of the form's, and without fields that were left empty: some clients send null
    /// for them.
    fn filled(&self, mut content: Json) -> Json {
        let known = |name: &str| self.schema.get("properties").is_some_and(|fields| fields.get(name).is_some());
        let required = self.schema.get("required").and_then(Json::as_array);
        let is_required = |name: &str| required.is_some_and(|required| required.iter().any(|it| it == name));
        if let Some(fields) = content.as_object_mut() {
            fields.retain(|name, value| known(name) && (!value.is_null() || is_required(name)));
        }
        content
    }
}
