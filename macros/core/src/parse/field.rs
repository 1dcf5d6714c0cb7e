//! One field: a port, or a config field.

use syn::{Attribute, Path, Type, parse_quote};

use super::port::Common;
use super::{config, deprecated, display, doc, foreign, inside, name_or, port};
use crate::errors::Errors;
use crate::model::{Complete, Display, Field, Port, Role};
use crate::symbol::{ARGUMENT, COMPLETE, CONFIG, DISPLAY, PORT, Symbol};

/// Where a field stands, which decides the attributes that it may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// In a node.
    Node,
    /// In outputs.
    Outputs,
    /// In a resource.
    Resource,
    /// In a prompt.
    Prompt,
    /// In a message.
    Message,
}

/// What our attributes say of one field.
#[derive(Default)]
struct Written {
    role: Option<(Symbol, Role)>,
    common: Common,
    display: Option<Display>,
    has_display: bool,
    complete: Option<Complete>,
}

/// Reads a field; none for one without a name, which its item reports.
pub(crate) fn field(errors: &mut Errors, place: Place, field: &syn::Field) -> Option<Field> {
    let ident = field.ident.clone()?;
    let mut said = Written::default();
    for attribute in &field.attrs {
        let words = [PORT, CONFIG, DISPLAY, ARGUMENT, COMPLETE];
        match words.into_iter().find(|word| attribute.path().is_ident(word.0)) {
            Some(word) => match place {
                Place::Node | Place::Outputs | Place::Message => {
                    ours(errors, place, &mut said, word, attribute, &field.ty);
                }
                Place::Resource | Place::Prompt => argument(errors, &mut said, word, attribute),
            },
            // A derive leaves the attributes of others to them.
            None if matches!(place, Place::Outputs | Place::Message) => {}
            None => foreign::check(errors, place, attribute),
        }
    }
    let Written { role, common, display, has_display: _, complete } = said;
    Some(Field {
        cfgs: foreign::cfgs(&field.attrs),
        name: name_or(common.name, &ident),
        ident,
        title: common.title,
        doc: doc::doc(&field.attrs),
        deprecated: deprecated::deprecated(&field.attrs),
        ty: field.ty.clone(),
        as_string: common.as_string,
        header: common.header,
        display,
        complete,
        role: role.map_or_else(|| Role::Port(Port::default()), |(_, role)| role),
    })
}

/// Takes our attributes off the fields, so that the item compiles without us.
pub(crate) fn strip(fields: &mut syn::Fields, read: &[Field]) {
    for field in fields.iter_mut() {
        field.attrs.retain(foreign::stays);
        // The text in an editor is there for people; no code reads the field.
        if read.iter().any(|read| Some(&read.ident) == field.ident.as_ref() && read.is_label()) {
            field.attrs.push(parse_quote!(#[allow(dead_code)]));
        }
    }
}

fn ours(errors: &mut Errors, place: Place, said: &mut Written, word: Symbol, attribute: &Attribute, ty: &Type) {
    match (place, word) {
        (Place::Outputs, CONFIG) => {
            errors.error(attribute, "an output has no configuration; remove the attribute");
            said.role = Some((word, Role::Unclear));
        }
        (Place::Node | Place::Message, DISPLAY) => {
            errors.error(
                attribute,
                "a display shows an output; move it to the field of a struct with `#[derive(Outputs)]`",
            );
        }
        (_, COMPLETE) => {
            let message = format!(
                "`#[{COMPLETE}]` is for what people type, the arguments of prompts and the variables of URIs; remove it"
            );
            errors.error(attribute, message);
        }
        (_, ARGUMENT) => {
            errors.error(attribute, format!("this field is a port; write `#[{PORT}(…)]`"));
        }
        (_, DISPLAY) if said.has_display => twice(errors, word, attribute),
        (_, DISPLAY) => {
            said.has_display = true;
            said.display = display::display(errors, attribute);
        }
        _ => match said.role {
            Some((before, _)) if before == word => twice(errors, word, attribute),
            Some(_) => {
                errors.error(attribute, "a field is a port or a config field, not both; remove one of the attributes");
            }
            None => {
                let read =
                    if word == PORT { port::port(errors, attribute) } else { config::config(errors, attribute, ty) };
                said.role = Some((word, read.0));
                said.common = read.1;
            }
        },
    }
}

/// An attribute on the field of a resource or of a prompt.
fn argument(errors: &mut Errors, said: &mut Written, word: Symbol, attribute: &Attribute) {
    if word == COMPLETE {
        if said.complete.is_some() {
            return twice(errors, word, attribute);
        }
        let Some(tokens) = inside(errors, attribute, COMPLETE) else { return };
        let by = if tokens.is_empty() { None } else { Some(syn::parse2::<Path>(tokens.clone())) };
        match by.transpose() {
            Ok(by) => {
                let word =
                    attribute.path().get_ident().map_or_else(proc_macro2::Span::call_site, proc_macro2::Ident::span);
                said.complete = Some(Complete { word, by });
            }
            Err(_) => errors.error(
                tokens,
                format!("expected the path of a type that implements `Complete`, such as `#[{COMPLETE}(Dishes)]`"),
            ),
        }
        return;
    }
    if word != ARGUMENT {
        errors.error(attribute, format!("this field is text that people type; write `#[{ARGUMENT}(…)]`"));
        return;
    }
    if said.role.is_some() {
        twice(errors, word, attribute);
        return;
    }
    said.role = Some((word, Role::Port(Port::default())));
    said.common = port::argument(errors, attribute);
}

fn twice(errors: &mut Errors, word: Symbol, attribute: &Attribute) {
    errors.error(attribute, format!("this field has `#[{word}]` twice; write one with all arguments"));
}
