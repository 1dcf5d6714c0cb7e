//! What a nodeset can be set to from outside: the schema, and the check before anything starts.

use serde_json::Value as Json;

use crate::Error;
use crate::call::{Finding, Nodeset, Stage, Validator};
use crate::decl::{FieldDecl, SchemaFn, TypeDecl};
use crate::schema;
use crate::wire::{Map, Value};

/// The settings of one nodeset.
#[derive(Debug)]
pub struct Settings {
    nodeset: &'static str,
    known: Option<(Json, Validator)>,
}

impl Settings {
    /// Those of `S`; fails with type `bad_declaration` when their schema cannot be checked against.
    pub fn of<S: Nodeset>() -> Result<Self, Error> {
        Self::new(S::TABLE.decl.name, S::hooks().settings)
    }

    fn new(nodeset: &'static str, schema: Option<SchemaFn>) -> Result<Self, Error> {
        let Some(schema) = schema else { return Ok(Self { nodeset, known: None }) };
        let defect = |problem: String| {
            Error::at(Stage::InternalRuntime, "bad_declaration", format!("the settings of `{nodeset}`: {problem}"))
        };
        // Read as the schema of an argument is, so that both are closed and bounded by the same rules.
        let whole =
            FieldDecl::port("settings", "", "Settings", TypeDecl { schema, optional: || false, keys: |_| None });
        let contract = schema::input(&[whole]).map_err(|problem| defect(problem.to_string()))?;
        let checked = contract.fields.into_iter().next().map(|field| field.checked).unwrap_or_default();
        if checked.get("type").is_some_and(|ty| ty == "null") {
            return Ok(Self { nodeset, known: None });
        }
        let validator = Validator::new(&checked).map_err(defect)?;
        Ok(Self { nodeset, known: Some((shown(schema::inline(&contract.published)), validator)) })
    }

    /// JSON Schema of the settings; none where there are none.
    pub fn schema(&self) -> Option<&Json> {
        self.known.as_ref().map(|(schema, _)| schema)
    }

    /// Refuses what does not fit. The sentences name places and what would have been right, and never what is set,
    /// which may be a secret.
    pub fn check(&self, settings: &Value) -> Result<(), Error> {
        let none = Value::Map(Map::new());
        let settings = if settings.is_null() { &none } else { settings };
        let findings: Vec<_> = match &self.known {
            Some((_, validator)) => validator.findings(settings).into_iter().map(silent).collect(),
            None if *settings == none => Vec::new(),
            None => vec![Finding {
                kind: "unknown_field",
                detail: format!("`{}` takes no settings", self.nodeset),
                ..Finding::default()
            }],
        };
        if findings.is_empty() { Ok(()) } else { Err(Error::refused(findings)) }
    }
}

/// The schema of the one field as a document of its own.
fn shown(mut published: Json) -> Json {
    let mut own = published.pointer_mut("/properties/settings").map(Json::take).unwrap_or_default();
    if let (Some(definitions), Some(own)) = (published.get_mut("$defs").map(Json::take), own.as_object_mut()) {
        own.insert("$defs".to_owned(), definitions);
    }
    own
}

/// The finding without what was sent, and with all that is known.
fn silent(mut finding: Finding) -> Finding {
    if let (Some(expected), false) = (&finding.expected, finding.kind == "missing_field") {
        finding.detail = format!("`{}` must be {expected}", finding.pointer);
        if let Some(nearest) = &finding.nearest {
            finding.detail = format!("{}; did you mean `{nearest}`?", finding.detail);
        }
    } else if finding.nearest.is_some() {
        finding.detail = format!("{} (known are `{}`)", finding.detail, finding.known.join("`, `"));
    }
    finding
}
