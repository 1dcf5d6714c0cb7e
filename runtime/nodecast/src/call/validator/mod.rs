//! Validates a [`Value`] where it lies against a JSON Schema, and says what is wrong in words.
//!
//! `jsonschema` reads our tree through [`view`], so a call makes no second tree. Its errors become findings that name
//! the place, what was expected and what came, so that a model can correct the call.

mod explain;
mod union;
mod view;
mod words;

use std::fmt;

use jsonschema::Draft;

use self::explain::Explainer;
pub(super) use self::view::name as key_name;
use self::view::{Tree, View};
use super::Finding;
use crate::wire::Value;

/// More are of no use to who has to correct the call.
const MOST_FINDINGS: usize = 16;

/// Errors beyond this are not looked at; several may be one finding.
const MOST_ERRORS: usize = 4 * MOST_FINDINGS;

/// A compiled schema.
pub struct Validator {
    compiled: jsonschema::Validator<Tree>,
    schema: serde_json::Value,
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
        Ok(Self { compiled, schema: schema.clone() })
    }

    /// The schema that was compiled.
    pub(super) fn schema(&self) -> &serde_json::Value {
        &self.schema
    }

    /// Whether `value` is valid.
    pub fn accepts(&self, value: &Value) -> bool {
        self.compiled.is_valid(View::Value(value))
    }

    /// What is wrong with `value`, at most 16 findings with pointers from `value`; none when it is valid.
    pub fn findings(&self, value: &Value) -> Vec<Finding> {
        if self.accepts(value) {
            return Vec::new();
        }
        let explainer = Explainer { schema: &self.schema, value };
        let errors: Vec<_> = self.compiled.iter_errors(View::Value(value)).take(MOST_ERRORS).collect();
        let mut findings = explainer.explain_all(&errors);
        findings.truncate(MOST_FINDINGS);
        findings
    }
}

impl fmt::Debug for Validator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Validator").field("schema", &self.schema).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
