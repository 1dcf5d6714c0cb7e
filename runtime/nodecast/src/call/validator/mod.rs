//! Validates a [`Value`] where it lies against a JSON Schema, and says what is wrong in words.
//!
//! `jsonschema` reads our tree through [`view`], so a call makes no second tree. Its errors become findings that name
//! the place, what was expected and what came, so that a model can correct the call.

mod explain;
mod short;
mod union;
mod view;
mod words;

use std::fmt;

use jsonschema::Draft;

use self::explain::Explainer;
use self::short::Shortened;
pub(super) use self::view::name as key_name;
use self::view::{Tree, View};
use super::{Finding, MAX_FINDINGS};
use crate::wire::Value;

/// Errors beyond this are not looked at; several may be one finding.
const MOST_ERRORS: usize = 4 * MAX_FINDINGS;

/// A compiled schema.
pub struct Validator {
    compiled: jsonschema::Validator<Tree>,
    schema: serde_json::Value,
    /// How many items of a list an explanation looks at.
    kept: usize,
}

impl Validator {
    /// Compiles a schema of draft 2020-12; formats are asserted, and no reference is fetched.
    ///
    /// The error says what is wrong with the schema.
    pub fn new(schema: &serde_json::Value) -> Result<Self, String> {
        let compiled = jsonschema::options_for::<Tree>()
            .with_draft(Draft::Draft202012)
            .should_validate_formats(true)
            .offline()
            .build(schema)
            .map_err(|error| error.to_string())?;
        Ok(Self { compiled, kept: short::kept(schema), schema: schema.clone() })
    }

    /// The schema that was compiled.
    pub(super) fn schema(&self) -> &serde_json::Value {
        &self.schema
    }

    /// Whether `value` is valid.
    pub fn accepts(&self, value: &Value) -> bool {
        self.compiled.is_valid(View::Value(value))
    }

    /// What is wrong with `value`, with pointers from `value`: no more than is worth a look, and none when it is valid.
    pub fn findings(&self, value: &Value) -> Vec<Finding> {
        if self.accepts(value) {
            return Vec::new();
        }
        // The library collects an error for each wrong item of each branch, which for a large value is many times its
        // size. What is wrong nearly always shows in the first items.
        match short::shortened(value, self.kept) {
            Shortened::Whole => self.explain(value, value),
            Shortened::Cut(cut) if !self.accepts(&cut) => self.explain(&cut, value),
            Shortened::Cut(_) | Shortened::TooLarge => vec![self.beyond(value)],
        }
    }

    /// The findings in `checked`, which is `value` or a part of it.
    fn explain(&self, checked: &Value, value: &Value) -> Vec<Finding> {
        let errors: Vec<_> = self.compiled.iter_errors(View::Value(checked)).take(MOST_ERRORS).collect();
        Explainer { schema: &self.schema, value }.explain_all(&errors)
    }

    /// The finding of a value that is too large to be looked through for what is wrong.
    fn beyond(&self, value: &Value) -> Finding {
        let (expected, found) = (words::expected(&self.schema, &self.schema), words::found(value));
        let detail = format!(
            "`` must be {expected}, got {found}, of which something beyond the first {} items does not fit",
            self.kept
        );
        explain::finding("wrong_type", String::new(), detail, expected)
    }
}

impl fmt::Debug for Validator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Validator").field("schema", &self.schema).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
