//! Reads a const table into a catalog.

use std::borrow::Cow;
use std::fmt::Display;

use super::containers::container;
use super::read_offers::{By, icons, meta, prompt, resource};
use super::{Catalog, Config, Entry, Field, Text};
use crate::Error;
use crate::call::{Nodeset, Row, Stage};
use crate::decl::{Batching, ConfigDecl, ErrorKindDecl, FieldDecl, NodeDecl, NodesetDecl, OutputShape, Role, Widget};
use crate::schema::{self, Contract, Defect, FieldSchema, SchemaSource};

/// What a row says besides its call; apart from the nodeset's type, so that the reading is compiled once.
pub(super) struct Facts {
    pub(super) decl: &'static NodeDecl,
    pub(super) batched: Option<Batching>,
    pub(super) shape: OutputShape,
    pub(super) outputs: &'static [FieldDecl],
    pub(super) errors: &'static [ErrorKindDecl],
}

impl Catalog {
    /// Reads the table of `S`.
    ///
    /// Fails with type `bad_declaration` when a type's schema and its declaration disagree, which no macro and no
    /// `const` can see; the sentence names node, field and what to write instead.
    pub fn of<S: Nodeset>() -> Result<Self, Error> {
        let facts = |row: &'static Row<S>| Facts {
            decl: &row.decl,
            batched: row.batched(),
            shape: row.shape,
            outputs: row.outputs,
            errors: row.errors,
        };
        let mut catalog = catalog(&S::TABLE.decl, S::TABLE.rows.iter().map(facts).collect())?;
        let (set, table) = (&S::TABLE.decl, S::TABLE);
        let resources = table.resources.iter().map(|row| resource(set, &row.decl, row.errors, &By::of(row.complete)));
        catalog.resources = resources.collect::<Result<_, _>>()?;
        let prompts = table.prompts.iter().map(|row| prompt(set, &row.decl, row.errors, &By::of(row.complete)));
        catalog.prompts = prompts.collect::<Result<_, _>>()?;
        let containers = table.containers.iter().map(|row| container(set, row));
        catalog.containers = containers.collect::<Result<_, _>>()?;
        catalog.panel = table.panel.as_ref().map(|row| row.decl);
        Ok(catalog)
    }

    /// One node by itself, in the nodeset `set` and of no nodeset's type.
    #[cfg(feature = "testing")]
    pub(crate) fn of_node(
        set: &'static NodesetDecl,
        decl: &'static NodeDecl,
        outputs: &'static [FieldDecl],
    ) -> Result<Self, Error> {
        catalog(set, vec![Facts { decl, batched: None, shape: OutputShape::Ports, outputs, errors: &[] }])
    }
}

pub(super) fn catalog(decl: &'static NodesetDecl, rows: Vec<Facts>) -> Result<Catalog, Error> {
    let NodesetDecl {
        name,
        prefix: _,
        title,
        doc,
        instructions,
        version,
        parallelism,
        exclusive: _,
        modern_rejected,
        sessions: _,
        form: _,
        show_errors,
        page_size,
        cache,
        icons: declared_icons,
        meta: declared_meta,
        coerce,
        source,
    } = *decl;
    let entries = rows.into_iter().map(|row| entry(decl, row)).collect::<Result<_, _>>()?;
    Ok(Catalog {
        revision: 1,
        name: name.into(),
        prefix: decl.name_prefix().into(),
        title: title.map(Text::from),
        doc: doc.into(),
        instructions: instructions.map(Text::from),
        version: version.into(),
        parallelism,
        exclusivity: decl.exclusivity(),
        modern_rejected,
        sessions: decl.session_rule(),
        show_errors,
        page_size,
        cache,
        icons: icons(declared_icons),
        meta: meta(declared_meta),
        coerce,
        source: Some(source),
        entries,
        resources: Vec::new(),
        prompts: Vec::new(),
        containers: Vec::new(),
        panel: None,
    })
}

fn entry(set: &NodesetDecl, Facts { decl, batched, shape, outputs, errors }: Facts) -> Result<Entry, Error> {
    let NodeDecl {
        name,
        title,
        doc,
        hints,
        unstable,
        deprecated,
        raw_schema,
        batched: _,
        task,
        waits,
        fallback,
        mcp_only,
        icons: declared_icons,
        meta: declared_meta,
        fields,
        source,
    } = *decl;
    let bad = |defect: &dyn Display| {
        let place = format!("{}:{}: node `{name}` of `{}`", source.file, source.line, set.name);
        Error::at(Stage::InternalRuntime, "bad_declaration", format!("{place}, {defect}"))
    };
    let refuse = |defect: Defect| bad(&defect);
    let (fields, outputs) = (in_form(set, fields), in_form(set, outputs));
    let input = schema::input(&fields).map_err(refuse)?;
    let output = schema::output(&outputs).map_err(refuse)?;
    let (input_schema, schema_source) = match raw_schema {
        Some(text) => (schema::raw(text, &fields, &input).map_err(|defect| bad(&defect))?, SchemaSource::Hand),
        None => (input.published.clone(), SchemaSource::Types),
    };
    Ok(Entry {
        name: name.into(),
        full_name: super::full_name(set.name_prefix(), name),
        title: title.map(Text::from),
        doc: doc.into(),
        hints,
        unstable,
        deprecated,
        batched,
        task,
        waits,
        fallback,
        mcp_only,
        icons: icons(declared_icons),
        meta: meta(declared_meta),
        shape,
        inputs: self::fields(&fields, &input),
        outputs: self::fields(&outputs, &output),
        errors: Cow::Borrowed(errors),
        input_schema,
        schema_source,
        output_schema: output.published,
        source: Some(source),
    })
}

/// The declared fields, each in the form that it or its nodeset asks for.
fn in_form(set: &NodesetDecl, declared: &[FieldDecl]) -> Vec<FieldDecl> {
    declared.iter().map(|field| FieldDecl { form: field.form.or(set.form), ..*field }).collect()
}

fn fields(declared: &[FieldDecl], contract: &Contract) -> Vec<Field> {
    declared
        .iter()
        .zip(&contract.fields)
        .map(|(decl, schema)| {
            let FieldDecl {
                name,
                title,
                doc,
                wire: _,
                form,
                header,
                deprecated,
                display,
                full_size,
                written: _,
                ty: _,
                role,
            } = *decl;
            Field {
                name: Text::Borrowed(name),
                title: title.map(Text::from),
                doc: Text::Borrowed(doc),
                wire_type: schema.wire_type.clone().into(),
                optional: schema.optional,
                form,
                header: header.map(Text::from),
                deprecated,
                display,
                shows_images: schema::holds_pictures(&schema.checked),
                full_size,
                config: match role {
                    Role::Port => None,
                    Role::Config(config) => Some(self::config(&config, doc, schema)),
                },
                checked: schema.checked.clone(),
                checked_json: schema.checked_json.clone(),
            }
        })
        .collect()
}

fn config(decl: &ConfigDecl, doc: &'static str, schema: &FieldSchema) -> Config {
    let ConfigDecl { widget, default, label, placeholder, section, persist, on_card, unset_label } = *decl;
    let shown = Config {
        field_type: widget.as_str().into(),
        label: if label.is_empty() { doc } else { label }.into(),
        default: default
            .map(|default| schema::default(default, schema.checked_json.as_ref().unwrap_or(&schema.checked))),
        min: None,
        max: None,
        step: None,
        options: None,
        placeholder: placeholder.into(),
        section,
        persist,
        on_card,
        unset_label: unset_label.into(),
    };
    match widget {
        Widget::Select([]) => {
            let options =
                schema.variants.iter().map(|variant| (variant.clone().into(), variant.clone().into())).collect();
            Config { options: Some(options), ..shown }
        }
        Widget::Select(choices) => {
            let options = choices.iter().map(|choice| (choice.value.into(), choice.label.into())).collect();
            Config { options: Some(options), ..shown }
        }
        Widget::Slider { min, max, step } => Config { min: Some(min), max: Some(max), step, ..shown },
        Widget::Number { min, max } => Config { min, max, ..shown },
        Widget::Toggle | Widget::Text | Widget::Textarea | Widget::Label => shown,
    }
}
