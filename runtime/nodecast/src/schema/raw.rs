//! A schema of all arguments that a person wrote: what is checked before it may stand in place of what the types say.
//!
//! It can say what types cannot (`if`, `anyOf` over names, `$anchor`). It must be about the same names, bounded, and
//! whole by itself: a reference that leads out of it is refused, never followed.

use std::collections::BTreeMap;

use jsonschema::draft202012;
use serde_json::{Map, Value as Json};

use super::{Contract, walk};
use crate::call::{Validator, nearest};
use crate::decl::{ConfigDecl, FieldDecl, Role};
use crate::wire::{self, Value};

/// Larger than anything that a model could read, small enough to check at every start.
const MAX_BYTES: usize = 64 << 10;
/// Schemas within schemas.
const MAX_DEPTH: usize = 32;
/// Schemas that one place may be checked against, references followed: a short text can ask for billions.
const MAX_WORK: usize = 4096;
/// References followed in a row.
const MAX_CHAIN: usize = 64;

/// Why a hand-written schema cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`raw_schema`{}: {problem}", place(pointer))]
pub struct RawDefect {
    /// JSON pointer into the schema.
    pub pointer: String,
    /// What is wrong and what to write instead.
    pub problem: String,
}

fn place(pointer: &str) -> String {
    if pointer.is_empty() { String::new() } else { format!(" at `{pointer}`") }
}

/// Reads the text of a hand-written schema of the arguments `fields`, whose types say `typed`.
pub fn raw(text: &str, fields: &[FieldDecl], typed: &Contract) -> Result<Json, RawDefect> {
    if text.len() > MAX_BYTES {
        return Err(defect("", format!("is {} bytes long; the most is {MAX_BYTES}", text.len())));
    }
    let value = wire::json::decode(text.as_bytes()).map_err(|error| defect("", error.detail))?;
    let schema = value.to_json().map_err(|error| defect(&error.pointer, error.detail))?;
    local("", &schema)?;
    draft202012::meta::validate(&schema)
        .map_err(|error| defect(error.instance_path().as_str(), format!("is no JSON Schema 2020-12: {error}")))?;
    Bounds { root: &schema, known: BTreeMap::new() }.check("", &schema, 0)?;
    names(&schema, fields, typed)?;
    Validator::new(&schema).map_err(|problem| defect("", problem))?;
    defaults(&schema, fields, typed)?;
    Ok(schema)
}

/// Nothing leads out of the document, and nothing says that it is another one.
fn local(at: &str, part: &Json) -> Result<(), RawDefect> {
    match part {
        Json::Object(members) => {
            for (key, member) in members {
                let here = format!("{at}/{}", crate::call::escape(key));
                match (key.as_str(), member) {
                    ("$ref" | "$dynamicRef", Json::String(reference)) if !reference.starts_with('#') => {
                        let problem = format!(
                            "refers to `{reference}`, and only a reference into this schema is followed; copy it under \
                             `$defs` and write `#/$defs/…`"
                        );
                        return Err(defect(&here, problem));
                    }
                    ("$id" | "$vocabulary", _) if !at.ends_with("/properties") => {
                        return Err(defect(&here, "names another document; leave it out".to_owned()));
                    }
                    ("$schema", Json::String(dialect)) if !dialect.contains("/draft/2020-12/schema") => {
                        let problem = format!("is `{dialect}`; only draft 2020-12 is read, so leave it out");
                        return Err(defect(&here, problem));
                    }
                    ("const" | "enum" | "default" | "examples", _) => {}
                    (_, member) => local(&here, member)?,
                }
            }
            Ok(())
        }
        Json::Array(items) => {
            items.iter().enumerate().try_for_each(|(index, item)| local(&format!("{at}/{index}"), item))
        }
        _ => Ok(()),
    }
}

/// Where a schema is applied to the value that its whole is applied to, not to a part of it.
const IN_PLACE: [&str; 8] = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"];

/// How much a schema asks of a reader.
struct Bounds<'s> {
    root: &'s Json,
    /// What is known of the schemas at these pointers; `None` while one is being looked at.
    known: BTreeMap<String, Option<usize>>,
}

impl Bounds<'_> {
    fn check(&mut self, at: &str, schema: &Json, depth: usize) -> Result<(), RawDefect> {
        if depth > MAX_DEPTH {
            return Err(defect(at, format!("is more than {MAX_DEPTH} schemas deep")));
        }
        let work = self.work(at, schema, 0)?;
        if work > MAX_WORK {
            return Err(defect(at, format!("asks for {work} schemas at one place; the most is {MAX_WORK}")));
        }
        let mut inner = Vec::new();
        walk::parts(schema, &mut |place, part| inner.push((format!("{at}{place}"), part)));
        inner.into_iter().try_for_each(|(at, part)| self.check(&at, part, depth + 1))
    }

    /// How many schemas one value is checked against here.
    fn work(&mut self, at: &str, schema: &Json, chain: usize) -> Result<usize, RawDefect> {
        if chain > MAX_CHAIN {
            return Err(defect(
                at,
                format!("stands at the end of more than {MAX_CHAIN} schemas that lead to each other"),
            ));
        }
        match self.known.get(at) {
            Some(Some(work)) => return Ok(*work),
            Some(None) => {
                return Err(defect(
                    at,
                    "leads back to itself without going into the value, so it has no end".to_owned(),
                ));
            }
            None => {}
        }
        self.known.insert(at.to_owned(), None);
        let mut parts = Vec::new();
        walk::parts(schema, &mut |place, part| {
            if IN_PLACE
                .iter()
                .any(|key| place.strip_prefix('/').is_some_and(|rest| rest.split('/').next() == Some(key)))
            {
                parts.push((format!("{at}{place}"), part));
            }
        });
        for key in ["$ref", "$dynamicRef"] {
            if let Some(reference) = schema.get(key).and_then(Json::as_str) {
                let found = self.target(reference).ok_or_else(|| {
                    defect(&format!("{at}/{key}"), format!("`{reference}` leads nowhere; define it under `$defs`"))
                })?;
                parts.push(found);
            }
        }
        let mut work = 1_usize;
        for (at, part) in parts {
            work = work.saturating_add(self.work(&at, part, chain + 1)?);
        }
        self.known.insert(at.to_owned(), Some(work));
        Ok(work)
    }
}

impl<'s> Bounds<'s> {
    /// The pointer and the schema that a local reference means.
    fn target(&self, reference: &str) -> Option<(String, &'s Json)> {
        let name = reference.strip_prefix('#')?;
        if name.is_empty() || name.starts_with('/') {
            return Some((name.to_owned(), self.root.pointer(name)?));
        }
        anchored("", self.root, name)
    }
}

fn anchored<'s>(at: &str, schema: &'s Json, name: &str) -> Option<(String, &'s Json)> {
    let is_here = ["$anchor", "$dynamicAnchor"].iter().any(|key| schema.get(*key).is_some_and(|anchor| anchor == name));
    if is_here {
        return Some((at.to_owned(), schema));
    }
    let mut found = None;
    walk::parts(schema, &mut |place, part| {
        if found.is_none() {
            found = anchored(&format!("{at}{place}"), part, name);
        }
    });
    found
}

/// The schema is a closed object of exactly the fields that the node takes, and asks for those that it needs.
fn names(schema: &Json, fields: &[FieldDecl], typed: &Contract) -> Result<(), RawDefect> {
    if schema.get("type").is_none_or(|ty| ty != "object") {
        return Err(defect("", "is not about an object; write `\"type\": \"object\"`".to_owned()));
    }
    let nothing = Map::new();
    let properties = schema.get("properties").and_then(Json::as_object).unwrap_or(&nothing);
    let taken: Vec<&FieldDecl> = fields.iter().filter(|field| field.carries_value()).collect();
    if let Some(name) = properties.keys().find(|name| !taken.iter().any(|field| field.name == *name)) {
        let way_out = match nearest(name, taken.iter().map(|field| field.name)) {
            Some(near) => format!("; did you mean `{near}`?"),
            None => "; take it out, or add a field".to_owned(),
        };
        let at = format!("/properties/{}", crate::call::escape(name));
        return Err(defect(&at, format!("the node has no field `{name}`{way_out}")));
    }
    let required = schema.get("required").and_then(Json::as_array);
    for field in taken {
        let name = field.name;
        let at = format!("/properties/{}", crate::call::escape(name));
        let Some(property) = properties.get(name) else {
            return Err(defect("/properties", format!("says nothing of the field `{name}`; add it")));
        };
        let said = required.is_some_and(|names| names.iter().any(|required| required == name));
        if typed.requires(name) && !said {
            let problem =
                format!("does not hold `{name}`, which the node needs; add it, or make the field an `Option`");
            return Err(defect("/required", problem));
        }
        let mirrored = property.get("x-mcp-header").and_then(Json::as_str);
        if mirrored != field.header {
            return Err(defect(
                &at,
                match field.header {
                    Some(header) => format!("write `\"x-mcp-header\": \"{header}\"`, as the field's `header` says"),
                    None => "has `x-mcp-header`, and the field has no `header`; add it to the field".to_owned(),
                },
            ));
        }
    }
    let closes = |key: &str| schema.get(key).is_some_and(|rest| rest == false);
    if !closes("additionalProperties") && !closes("unevaluatedProperties") {
        let problem = "lets other names through, which a call refuses; write `\"additionalProperties\": false`";
        return Err(defect("", problem.to_owned()));
    }
    Ok(())
}

/// The default of each config field is allowed by what stands under its name.
fn defaults(schema: &Json, fields: &[FieldDecl], typed: &Contract) -> Result<(), RawDefect> {
    // The properties alone: what the whole demands, a call with all its arguments has to meet.
    let mut each = schema.clone();
    if let Some(members) = each.as_object_mut() {
        members.retain(|key, _| matches!(key.as_str(), "$defs" | "definitions" | "properties"));
    }
    let validator = Validator::new(&each).map_err(|problem| defect("", problem))?;
    for (field, schema) in fields.iter().zip(&typed.fields).filter(|(field, _)| field.carries_value()) {
        let Role::Config(ConfigDecl { default: Some(default), .. }) = field.role else { continue };
        let default = Value::from(super::default(default, &schema.checked));
        let arguments = Value::Map(std::iter::once((field.name, default)).collect());
        if let Some(finding) = validator.findings(&arguments).into_iter().next() {
            let at = format!("/properties/{}", crate::call::escape(field.name));
            return Err(defect(&at, format!("refuses the field's own default: {}", finding.detail)));
        }
    }
    Ok(())
}

impl Contract {
    /// Whether a call must have this field.
    fn requires(&self, name: &str) -> bool {
        let required = self.published.get("required").and_then(Json::as_array);
        required.is_some_and(|names| names.iter().any(|required| required == name))
    }
}

fn defect(pointer: &str, problem: String) -> RawDefect {
    RawDefect { pointer: pointer.to_owned(), problem }
}
