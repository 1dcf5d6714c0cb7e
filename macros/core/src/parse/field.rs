//! One field: a port, or a config field.

use quote::ToTokens;
use syn::{Attribute, LitStr};

use super::{config, doc, inside, name_or};
use crate::attr;
use crate::errors::Errors;
use crate::model::{Field, Role};
use crate::symbol::{self, CFG, CFG_ATTR, CONFIG, DEFAULT, NAME, PORT, RENAME, SERDE, Symbol, TITLE, WIRE};

/// Where a field stands, which decides the attributes that it may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// In a node.
    Node,
    /// In outputs.
    Outputs,
}

/// What `#[port(…)]` and `#[config(…)]` say alike.
#[derive(Debug, Default)]
pub(crate) struct Common {
    /// `name`.
    pub(crate) name: Option<LitStr>,
    /// `title`.
    pub(crate) title: Option<LitStr>,
}

/// Reads a field; none for one without a name, which its item reports.
pub(crate) fn field(errors: &mut Errors, place: Place, field: &syn::Field) -> Option<Field> {
    let ident = field.ident.clone()?;
    let mut role: Option<(Symbol, Role)> = None;
    let mut common = Common::default();
    for attribute in &field.attrs {
        let path = attribute.path();
        if path.is_ident(PORT.0) || path.is_ident(CONFIG.0) {
            let word = if path.is_ident(PORT.0) { PORT } else { CONFIG };
            match &role {
                Some((before, _)) if *before == word => {
                    errors.error(attribute, format!("this field has `#[{word}]` twice; write one with all arguments"));
                }
                Some(_) => {
                    errors.error(
                        attribute,
                        "a field is a port or a config field, not both; remove one of the attributes",
                    );
                }
                None => {
                    let read = if word == PORT {
                        port(errors, attribute)
                    } else {
                        config::config(errors, attribute, &field.ty)
                    };
                    role = Some((word, read.0));
                    common = read.1;
                }
            }
        } else if place == Place::Node {
            foreign(errors, attribute);
        }
    }
    let role = match role {
        Some((CONFIG, _)) if place == Place::Outputs => {
            if let Some(attribute) = field.attrs.iter().find(|attribute| attribute.path().is_ident(CONFIG.0)) {
                errors.error(attribute, "an output has no configuration; remove the attribute");
            }
            Role::Unclear
        }
        Some((_, role)) => role,
        None => Role::Port(None),
    };
    Some(Field {
        name: name_or(common.name, &ident),
        ident,
        title: common.title,
        doc: doc::doc(&field.attrs),
        ty: field.ty.clone(),
        role,
    })
}

/// Takes our attributes off the fields, so that the item compiles without us.
pub(crate) fn strip(fields: &mut syn::Fields) {
    for field in fields.iter_mut() {
        field.attrs.retain(|attribute| !is_ours(attribute) && misspelt(attribute).is_none() && !is_foreign(attribute));
    }
}

fn port(errors: &mut Errors, attribute: &Attribute) -> (Role, Common) {
    const WORDS: &[Symbol] = &[NAME, TITLE, WIRE];
    let mut common = Common::default();
    let mut wire = None;
    let Some(tokens) = inside(errors, attribute, PORT) else { return (Role::Unclear, common) };
    for arg in attr::arguments(errors, "`#[port]`", WORDS, tokens) {
        let text = attr::string(errors, &arg);
        let slot = if arg.word == NAME {
            &mut common.name
        } else if arg.word == TITLE {
            &mut common.title
        } else {
            &mut wire
        };
        attr::set(errors, slot, &arg, text);
    }
    (Role::Port(wire), common)
}

/// Answers attributes that work elsewhere and would do nothing, or harm, on the field of a node.
fn foreign(errors: &mut Errors, attribute: &Attribute) {
    let path = attribute.path();
    if path.is_ident(SERDE.0) {
        let said = attribute.meta.to_token_stream().to_string();
        let way_out = if said.contains(RENAME.0) {
            "write `#[port(name = \"…\")]`"
        } else if said.contains(DEFAULT.0) {
            "write `#[config(default = …)]`, or `Option<T>` for what may be left out"
        } else {
            "put it on a struct of its own and use that as the field's type"
        };
        errors.error(path, format!("a node has no serde derive, so `#[{SERDE}]` does nothing here; {way_out}"));
    } else if path.is_ident(CFG.0) || path.is_ident(CFG_ATTR.0) {
        let word = if path.is_ident(CFG.0) { CFG } else { CFG_ATTR };
        errors.error(
            path,
            format!("`#[{word}]` on a field of a node is not supported; put `#[{CFG}]` on two versions of the node"),
        );
    } else if let Some(word) = misspelt(attribute) {
        errors.error(path, format!("unknown attribute `{}`; write `#[{word}]`", path.to_token_stream()));
    }
}

fn is_ours(attribute: &Attribute) -> bool {
    attribute.path().is_ident(PORT.0) || attribute.path().is_ident(CONFIG.0)
}

fn is_foreign(attribute: &Attribute) -> bool {
    [SERDE, CFG, CFG_ATTR].iter().any(|word| attribute.path().is_ident(word.0))
}

/// The attribute of ours that this one looks like; another's is left to the compiler.
fn misspelt(attribute: &Attribute) -> Option<Symbol> {
    let written = attribute.path().get_ident()?.to_string();
    if is_ours(attribute) {
        return None;
    }
    symbol::nearest(&written, &[PORT, CONFIG])
}
