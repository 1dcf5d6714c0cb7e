//! Reads the resources and prompts of a const table, and the words that they share with nodes.

use std::borrow::Cow;

use serde_json::Value as Json;

use super::{Argument, Completion, Icon, Meta, Prompt, Resource, Text};
use crate::Error;
use crate::call::{Completer, Stage};
use crate::decl::{
    ErrorKindDecl, FieldDecl, IconDecl, JsonForm, Literal, NodesetDecl, PromptDecl, ResourceDecl, Source,
};
use crate::schema;

/// How a field is completed, apart from the nodeset's type.
#[derive(Clone, Copy)]
pub(super) enum By {
    Nothing,
    Known,
    Asking,
}

impl By {
    pub(super) fn of<S>(completers: &[Completer<S>]) -> Vec<Self> {
        let by = |completer: &Completer<S>| match completer {
            Completer::None => Self::Nothing,
            Completer::Known => Self::Known,
            Completer::Asked(_) => Self::Asking,
        };
        completers.iter().map(by).collect()
    }
}

pub(super) fn resource(
    set: &NodesetDecl,
    decl: &'static ResourceDecl,
    errors: &'static [ErrorKindDecl],
    by: &[By],
) -> Result<Resource, Error> {
    let ResourceDecl { name, uri, title, doc, mime, cache, icons, meta, deprecated, fields, source } = *decl;
    Ok(Resource {
        name: name.into(),
        full_name: super::full_name(set.name_prefix(), name),
        uri: uri.into(),
        title: title.map(Text::from),
        doc: doc.into(),
        mime: mime.map(Text::from),
        cache,
        icons: self::icons(icons),
        meta: self::meta(meta),
        deprecated,
        arguments: arguments(fields, by, |problem| bad(source, set, &format!("resource `{name}`, {problem}")))?,
        errors: Cow::Borrowed(errors),
        source: Some(source),
    })
}

pub(super) fn prompt(
    set: &NodesetDecl,
    decl: &'static PromptDecl,
    errors: &'static [ErrorKindDecl],
    by: &[By],
) -> Result<Prompt, Error> {
    let PromptDecl { name, title, doc, icons, meta, deprecated, fields, source } = *decl;
    Ok(Prompt {
        name: name.into(),
        full_name: super::full_name(set.name_prefix(), name),
        title: title.map(Text::from),
        doc: doc.into(),
        icons: self::icons(icons),
        meta: self::meta(meta),
        deprecated,
        arguments: arguments(fields, by, |problem| bad(source, set, &format!("prompt `{name}`, {problem}")))?,
        errors: Cow::Borrowed(errors),
        source: Some(source),
    })
}

fn arguments(fields: &'static [FieldDecl], by: &[By], bad: impl Fn(String) -> Error) -> Result<Vec<Argument>, Error> {
    // They are text on the wire, and the text of an integer is exact however large.
    let as_text = |field: &FieldDecl| FieldDecl { form: JsonForm { integers_as_text: true, ..field.form }, ..*field };
    let spelled: Vec<FieldDecl> = fields.iter().map(as_text).collect();
    let contract = schema::input(&spelled).map_err(|defect| bad(defect.to_string()))?;
    let made = fields.iter().zip(contract.fields).enumerate().map(|(at, (field, schema))| -> Result<_, Error> {
        let FieldDecl {
            name,
            title,
            doc,
            wire: _,
            form: _,
            header: _,
            deprecated,
            display: _,
            full_size: _,
            written: _,
            ty: _,
            role: _,
        } = *field;
        let completion = match by.get(at) {
            None | Some(By::Nothing) => Completion::None,
            Some(By::Asking) => Completion::Asked,
            Some(By::Known) => {
                let known = known(&schema.variants, &schema.checked);
                let none = "has no known values to complete it with; write `#[complete(Path)]` with a type that implements `Complete`";
                Completion::Known(known.ok_or_else(|| bad(format!("field `{name}` {none}")))?)
            }
        };
        Ok(Argument {
            name: name.into(),
            title: title.map(Text::from),
            doc: doc.into(),
            optional: schema.optional,
            deprecated,
            // Most are text, for which the two are one.
            checked_text: schema.checked_json.filter(|text| *text != schema.checked),
            checked: schema.checked,
            completion,
        })
    });
    made.collect()
}

/// The values of an enum of unit variants, or of a bool.
fn known(variants: &[String], checked: &Json) -> Option<Vec<Text>> {
    if !variants.is_empty() {
        return Some(variants.iter().cloned().map(Text::from).collect());
    }
    let is_bool = checked.get("type").is_some_and(|ty| match ty {
        Json::Array(types) => types.iter().any(|ty| ty == "boolean"),
        single => single == "boolean",
    });
    is_bool.then(|| vec!["true".into(), "false".into()])
}

pub(super) fn icons(declared: &'static [IconDecl]) -> Vec<Icon> {
    let icon = |icon: &'static IconDecl| {
        let IconDecl { src, mime, size, theme } = *icon;
        Icon { src: src.into(), mime: mime.map(Text::from), size: size.map(Text::from), theme }
    };
    declared.iter().map(icon).collect()
}

pub(super) fn meta(declared: crate::decl::Meta) -> Meta {
    let value = |literal: Literal| match literal {
        Literal::Bool(value) => Json::from(value),
        // The macro lets those pass that fit.
        Literal::Int(value) => {
            i64::try_from(value).map(Json::from).or_else(|_| u64::try_from(value).map(Json::from)).unwrap_or_default()
        }
        Literal::Float(value) => Json::from(value),
        Literal::Text(value) => Json::from(value),
    };
    declared.iter().map(|(key, literal)| ((*key).to_owned(), value(*literal))).collect()
}

fn bad(source: Source, set: &NodesetDecl, problem: &str) -> Error {
    let place = format!("{}:{}", source.file, source.line);
    Error::at(Stage::InternalRuntime, "bad_declaration", format!("{place}: of `{}`: {problem}", set.name))
}
