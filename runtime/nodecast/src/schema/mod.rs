//! JSON Schema of a node's arguments and outputs: pure readings of the table, built once at start.
//!
//! From each type's own schema (schemars) come two documents: the *published* one, profile `full`, and the one that
//! calls are *checked* against, which is closed on outputs too and keeps the full range of 64-bit integers that only
//! msgpack can carry. This module knows nothing of serving or calling.

mod close;
mod digits;
mod expected;
mod form;
mod forms;
mod inline;
mod keys;
mod normalise;
mod probe;
mod raw;
pub(crate) mod walk;
mod wire_type;
#[cfg(feature = "review")]
mod words;

use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value as Json, json};

pub use expected::expected;
pub use form::form;
pub use inline::inline;
#[cfg(feature = "review")]
pub(crate) use normalise::STANDARD_FORMATS;
pub use raw::{RawDefect, raw};
pub use wire_type::{holds_pictures, takes_text};
#[cfg(feature = "review")]
pub(crate) use words::is_words;

use crate::decl::{ConfigDecl, Deprecation, FieldDecl, JsonForm, Literal, Role, Widget};
use crate::wire::{Regime, on_grid};
use normalise::Range;

/// A declaration whose parts disagree in a way that only the types' schemas show; found at start, before serving.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("field `{field}`: {problem}")]
pub struct Defect {
    /// The field.
    pub field: String,
    /// What is wrong and what to write instead.
    pub problem: String,
}

/// The schemas of all input fields, or all output ports, of one node.
#[derive(Clone, Debug)]
pub struct Contract {
    /// The object of all fields, as published in profile `full`.
    pub published: Json,
    /// One a field, in order.
    pub fields: Vec<FieldSchema>,
}

/// What the schema of one field's type says.
#[derive(Clone, Debug)]
pub struct FieldSchema {
    /// The wire type (`wire.md` 1.1).
    pub wire_type: String,
    /// Whether the field may be left out.
    pub optional: bool,
    /// The self-contained schema that a value of the field is checked against.
    pub checked: Json,
    /// The same for JSON, where JSON carries the field's numbers in another form.
    pub checked_json: Option<Json>,
    /// The texts of a unit enum, for a select that lists none itself.
    pub variants: Vec<String>,
}

/// Where the published schema of a node's arguments comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SchemaSource {
    /// Read from the types of the fields.
    #[default]
    Types,
    /// Written by hand: `raw_schema`, checked in addition to what the types say.
    Hand,
}

/// Which way values flow, and so which contract of serde and which closing applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Input,
    Output,
}

/// The contract of a node's arguments: a closed object (deserialize contract).
pub fn input(fields: &[FieldDecl]) -> Result<Contract, Defect> {
    contract(fields, Direction::Input)
}

/// The contract of a node's outputs: an open object, all ports present (serialize contract).
pub fn output(fields: &[FieldDecl]) -> Result<Contract, Defect> {
    contract(fields, Direction::Output)
}

fn contract(fields: &[FieldDecl], direction: Direction) -> Result<Contract, Defect> {
    let mut generator = generator(direction);
    let mut raw = Vec::with_capacity(fields.len());
    for field in fields {
        raw.push((field.ty.schema)(&mut generator).to_value());
    }
    let mut definitions = inline::plain_names(&mut raw, generator.take_definitions(true));
    raw.iter_mut().chain(definitions.values_mut()).for_each(close::spare_own_members);
    normalise::bound_times(&mut definitions);
    let mut known = Vec::new();
    for (field, raw) in fields.iter().zip(&mut raw) {
        keys::state(raw, &mut definitions, &mut known, field.ty.keys);
    }

    let mut published_definitions = finished_definitions(&definitions, direction, Range::Json);
    let mut checked_definitions = finished_definitions(&definitions, Direction::Input, Range::Type);
    if direction == Direction::Output {
        close::let_tags_through(&mut checked_definitions);
    }

    let mut properties = Map::new();
    let mut required = Vec::new();
    let mut schemas = Vec::with_capacity(fields.len());
    for (field, raw) in fields.iter().zip(raw) {
        let reached = inline::reached(&raw, &definitions);
        let form = field.form;
        if !form.integers_as_text && [&raw].into_iter().chain(reached.values()).any(forms::holds_128_bits) {
            let problem = "it holds an integer of 128 bits, which JSON has no number for; write `as_string`";
            return Err(defect(field, problem.to_owned()));
        }
        let variants = normalise::variants(&raw, &definitions);
        let in_form = |direction, range, regime| {
            let mut schema = finished(&raw, &definitions, direction, range);
            if let Role::Config(config) = &field.role {
                constrain(&mut schema, config, &variants, form).map_err(|problem| defect(field, problem))?;
            }
            forms::apply(&mut schema, form, regime);
            Ok::<_, Defect>(schema)
        };
        let shared = |direction, range, regime| {
            let mut shared = finished_definitions(&reached, direction, range);
            shared.values_mut().for_each(|schema| forms::apply(schema, form, regime));
            shared
        };
        // As text an integer loses nothing, however large.
        let range = if form.integers_as_text { Range::Type } else { Range::Json };
        let mut published = in_form(direction, range, Regime::Json)?;
        let checked = in_form(Direction::Input, Range::Type, Regime::Msgpack)?;
        let (checked, checked_json) = if form == JsonForm::PLAIN {
            (with_definitions(checked, &checked_definitions), None)
        } else {
            forms::rename_references(&mut published, form);
            for (name, mut schema) in shared(direction, range, Regime::Json) {
                forms::rename_references(&mut schema, form);
                published_definitions.insert(forms::named(&name, form), schema);
            }
            let json = in_form(Direction::Input, Range::Type, Regime::Json)?;
            (
                with_definitions(checked, &shared(Direction::Input, Range::Type, Regime::Msgpack)),
                Some(with_definitions(json, &shared(Direction::Input, Range::Type, Regime::Json))),
            )
        };
        describe(&mut published, field);
        if let (Direction::Input, Some(header)) = (direction, field.header) {
            mirror(&mut published, header).map_err(|problem| defect(field, problem))?;
        }
        let optional = direction == Direction::Input && (field.ty.optional)();
        if direction == Direction::Output || !(optional || matches!(field.role, Role::Config(_))) {
            required.push(Json::from(field.name));
        }
        if field.carries_value() {
            properties.insert(field.name.to_owned(), published);
        }
        schemas.push(FieldSchema {
            wire_type: field.wire.map_or_else(|| wire_type::of(&raw, &definitions), str::to_owned),
            optional,
            checked,
            checked_json,
            variants,
        });
    }

    let mut object = json!({"type": "object", "properties": properties});
    if !required.is_empty() {
        insert(&mut object, "required", required.into());
    }
    if direction == Direction::Input {
        insert(&mut object, "additionalProperties", false.into());
    }
    let mut published = with_definitions(object, &published_definitions);
    normalise::unmark(&mut published);
    Ok(Contract { published, fields: schemas })
}

fn generator(direction: Direction) -> SchemaGenerator {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.meta_schema = None);
    match direction {
        Direction::Input => settings.for_deserialize(),
        Direction::Output => settings.for_serialize(),
    }
    .into_generator()
}

fn finished(schema: &Json, definitions: &Map<String, Json>, direction: Direction, range: Range) -> Json {
    let mut schema = match direction {
        Direction::Input => close::closed(schema, definitions),
        Direction::Output => schema.clone(),
    };
    normalise::normalise(&mut schema, range);
    schema
}

fn finished_definitions(definitions: &Map<String, Json>, direction: Direction, range: Range) -> Map<String, Json> {
    definitions.iter().map(|(name, schema)| (name.clone(), finished(schema, definitions, direction, range))).collect()
}

/// Adds those definitions that the schema reaches.
fn with_definitions(mut schema: Json, definitions: &Map<String, Json>) -> Json {
    let reached = inline::reached(&schema, definitions);
    if !reached.is_empty() {
        insert(&mut schema, "$defs", Json::Object(reached));
    }
    schema
}

fn describe(schema: &mut Json, field: &FieldDecl) {
    let text = match &field.role {
        Role::Config(config) if field.doc.is_empty() => config.label,
        _ => field.doc,
    };
    // A title that is the name again says nothing, and costs its tokens in every list.
    if let Some(title) = field.title.filter(|title| *title != field.name) {
        insert(schema, "title", title.into());
    }
    let step = schema.as_object_mut().and_then(|members| members.shift_remove("x-step"));
    let advice = step.as_ref().and_then(Json::as_str).map(|step| format!("In steps of {step}."));
    let text = [Some(text.to_owned()).filter(|text| !text.is_empty()), advice];
    let mut text = text.into_iter().flatten().collect::<Vec<_>>().join(" ");
    if let Some(deprecation) = field.deprecated {
        insert(schema, "deprecated", true.into());
        text = with_deprecation(&text, deprecation);
    }
    if !text.is_empty() {
        insert(schema, "description", text.into());
    }
    if let Role::Config(ConfigDecl { default: Some(default), .. }) = &field.role {
        let default = self::default(*default, schema);
        insert(schema, "default", default);
    }
}

/// A text with a last line that says what is deprecated since when, and what to use instead.
pub fn with_deprecation(text: &str, Deprecation { since, note }: Deprecation) -> String {
    let since = if since.is_empty() { String::new() } else { format!(" since {since}") };
    let note = if note.is_empty() { ".".to_owned() } else { format!(": {note}") };
    let line = format!("Deprecated{since}{note}");
    if text.is_empty() { line } else { format!("{text}\n{line}") }
}

/// Marks a field that an HTTP header mirrors, which clients only do for what a header can carry (`mcp.md` 1).
///
/// A header cannot say null, and clients drop a tool whose mark stands beside several types, so only the one is left;
/// null stays what a call takes for a field that was left out.
fn mirror(schema: &mut Json, header: &str) -> Result<(), String> {
    match wire_type::kind(schema).map(str::to_owned).as_deref() {
        Some(ty @ ("string" | "integer" | "boolean")) => {
            insert(schema, "type", ty.into());
            insert(schema, "x-mcp-header", header.into());
            Ok(())
        }
        _ => Err(format!(
            "only text, an integer or a bool can stand in the header `{header}`; take `header` off, or change the type"
        )),
    }
}

/// Narrows the schema of a config field's type by its widget.
fn constrain(schema: &mut Json, config: &ConfigDecl, variants: &[String], form: JsonForm) -> Result<(), String> {
    match config.widget {
        Widget::Select([]) if variants.is_empty() => Err(
            "`select` without options needs a type that is an enum of unit variants; list them: `select(\"a\", \"b\")`"
                .into(),
        ),
        Widget::Select([]) | Widget::Toggle | Widget::Text | Widget::Textarea | Widget::Label => Ok(()),
        Widget::Select(choices) => {
            let values: Vec<Json> = choices.iter().map(|choice| choice.value.into()).collect();
            if let Some(unknown) = choices
                .iter()
                .find(|choice| !variants.is_empty() && !variants.iter().any(|variant| variant == choice.value))
            {
                return Err(format!("`{}` is listed in `select`, but is no variant of the type", unknown.value));
            }
            insert(schema, "enum", values.into());
            Ok(())
        }
        Widget::Slider { min, max, step } => {
            bound(schema, Some(min), Some(max));
            if let Some(step) = step {
                let default = match config.default {
                    Some(Literal::Float(default)) => Some(default),
                    #[allow(
                        clippy::cast_precision_loss,
                        reason = "what is not exact as f64 is no position of a slider"
                    )]
                    Some(Literal::Int(default)) => Some(default as f64),
                    _ => None,
                };
                // Text has no multiples, so there the step is advice.
                let exact = !form.integers_as_text || !is_integer(schema);
                if exact && on_grid(step, [Some(min), Some(max), default].into_iter().flatten()) {
                    insert(schema, "multipleOf", number(step, schema));
                } else {
                    insert(schema, "x-step", step.to_string().into());
                }
            }
            Ok(())
        }
        Widget::Number { min, max } => {
            bound(schema, min, max);
            Ok(())
        }
    }
}

/// Bounds a number; where the type's own bound is narrower, that one stays.
fn bound(schema: &mut Json, min: Option<f64>, max: Option<f64>) {
    let (min, max) = (min.map(|min| number(min, schema)), max.map(|max| number(max, schema)));
    let Some(members) = schema.as_object_mut() else { return };
    if let Some(min) = min {
        normalise::at_least(members, min);
    }
    if let Some(max) = max {
        normalise::at_most(members, max);
    }
}

/// A bound as a JSON number, whole where the field's type is.
fn number(bound: f64, schema: &Json) -> Json {
    #[allow(clippy::cast_possible_truncation, reason = "exact: the bound is whole and f64 holds it exactly")]
    if is_integer(schema) && bound.fract() == 0.0 && bound.abs() < 9e15 { (bound as i64).into() } else { bound.into() }
}

fn is_integer(schema: &Json) -> bool {
    schema.get("type").is_some_and(|ty| match ty {
        Json::Array(types) => types.contains(&"integer".into()),
        single => single == "integer",
    })
}

/// A default as JSON, with a point where the type is a float: `1.0` and `1` say different types to an editor.
pub fn default(literal: Literal, schema: &Json) -> Json {
    match literal {
        Literal::Bool(value) => value.into(),
        #[allow(clippy::cast_precision_loss, reason = "f64 holds it exactly, or it stays an integer")]
        Literal::Int(value) if schema.get("type").is_some_and(|ty| ty == "number") && value.abs() < 1 << 53 => {
            (value as f64).into()
        }
        Literal::Int(value) if schema.get("pattern").is_some() && !is_integer(schema) => value.to_string().into(),
        Literal::Int(value) => i64::try_from(value).map_or_else(|_| u64::try_from(value).ok().into(), Json::from),
        Literal::Float(value) => value.into(),
        Literal::Text(value) => value.into(),
    }
}

fn defect(field: &FieldDecl, problem: String) -> Defect {
    Defect { field: field.name.to_owned(), problem }
}

fn insert(schema: &mut Json, key: &str, value: Json) {
    if let Some(object) = schema.as_object_mut() {
        object.insert(key.to_owned(), value);
    }
}

#[cfg(test)]
mod tests;
