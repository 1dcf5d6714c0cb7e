//! Attributes that work elsewhere, and what they do on the field of a node, which has no derive of its own.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::punctuated::Punctuated;
use syn::{Attribute, Meta, Token};

use super::field::Place;
use crate::errors::Errors;
use crate::model::Cfgs;
use crate::symbol::{
    self, ARGUMENT, CFG, CFG_ATTR, COMPLETE, CONFIG, DEFAULT, DEPRECATED, DISPLAY, DOC, PORT, RENAME, SERDE, Symbol,
};

/// The attributes that decide whether it is there.
pub(crate) fn cfgs(attributes: &[Attribute]) -> Cfgs {
    Cfgs(attributes.iter().filter(|attribute| attribute.path().is_ident(CFG.0)).cloned().collect())
}

/// Answers an attribute that would do nothing, or harm, on the field of a node, a resource or a prompt.
pub(crate) fn check(errors: &mut Errors, place: Place, attribute: &Attribute) {
    let path = attribute.path();
    if path.is_ident(SERDE.0) {
        errors.error(path, serde(place, &attribute.meta));
    } else if let Some(Held { held, condition }) = held(attribute) {
        let message = if held.path().is_ident(SERDE.0) {
            serde(place, &held)
        } else if let Meta::List(list) = &held
            && list.path.is_ident(CFG.0)
        {
            let (condition, then) = (tight(&condition), tight(&list.tokens));
            format!(
                "`{CFG}` in `#[{CFG_ATTR}]` hides whether the field is there; write `#[{CFG}(any(not({condition}), {then}))]`"
            )
        } else {
            let word = held.path().to_token_stream();
            format!(
                "`{word}` in `#[{CFG_ATTR}]` does not reach the table; write two versions of the field, each with its `#[{CFG}(…)]`"
            )
        };
        errors.error(held.path(), message);
    } else if let Some(word) = misspelt(attribute, words(place)) {
        errors.error(path, format!("unknown attribute `{}`; write `#[{word}]`", path.to_token_stream()));
    }
}

/// Whether the attribute stays on the field: the user's item compiles without us.
pub(crate) fn stays(attribute: &Attribute) -> bool {
    !is_ours(attribute)
        && !attribute.path().is_ident(SERDE.0)
        && held(attribute).is_none()
        && misspelt(attribute, &[PORT, CONFIG, ARGUMENT, COMPLETE]).is_none()
}

fn serde(place: Place, meta: &Meta) -> String {
    let said = meta.to_token_stream().to_string();
    let (what, port) = match place {
        Place::Node | Place::Outputs | Place::Message => ("a node", PORT),
        Place::Resource => ("a resource", ARGUMENT),
        Place::Prompt => ("a prompt", ARGUMENT),
    };
    let way_out = if said.contains(RENAME.0) {
        format!("write `#[{port}(name = \"…\")]`")
    } else if said.contains(DEFAULT.0) && port == PORT {
        "write `#[config(default = …)]`, or `Option<T>` for what may be left out".to_owned()
    } else if said.contains(DEFAULT.0) {
        "write `Option<T>` for what may be left out".to_owned()
    } else {
        "put it on a struct of its own and use that as the field's type".to_owned()
    };
    format!("{what} has no serde derive, so `#[{SERDE}]` does nothing here; {way_out}")
}

/// An attribute inside `#[cfg_attr(…)]` that the table would need to know of.
struct Held {
    held: Meta,
    condition: TokenStream,
}

fn held(attribute: &Attribute) -> Option<Held> {
    held_in(&attribute.meta)
}

/// The first one, at any depth.
fn held_in(meta: &Meta) -> Option<Held> {
    let Meta::List(list) = meta else { return None };
    if !list.path.is_ident(CFG_ATTR.0) {
        return None;
    }
    let mut metas = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated).ok()?.into_iter();
    let condition = metas.next()?.to_token_stream();
    metas.find_map(|meta| {
        if let Some(Held { held, condition: inner }) = held_in(&meta) {
            return Some(Held { held, condition: quote!(all(#condition, #inner)) });
        }
        is_read(&meta).then(|| Held { held: meta, condition: condition.clone() })
    })
}

fn is_read(meta: &Meta) -> bool {
    let path = meta.path();
    let described = path.is_ident(DOC.0) && matches!(meta, Meta::NameValue(_));
    described
        || [PORT, CONFIG, DISPLAY, ARGUMENT, COMPLETE, DEPRECATED, CFG, SERDE].iter().any(|word| path.is_ident(word.0))
}

/// A condition as people write it.
fn tight(condition: &TokenStream) -> String {
    condition.to_string().replace(" (", "(").replace(" ,", ",")
}

fn is_ours(attribute: &Attribute) -> bool {
    [PORT, CONFIG, DISPLAY, ARGUMENT, COMPLETE].iter().any(|word| attribute.path().is_ident(word.0))
}

/// The attributes that a field may have there.
fn words(place: Place) -> &'static [Symbol] {
    match place {
        Place::Node | Place::Outputs | Place::Message => &[PORT, CONFIG],
        Place::Resource | Place::Prompt => &[ARGUMENT, COMPLETE],
    }
}

/// The attribute of ours that this one looks like; another's is left to the compiler.
fn misspelt(attribute: &Attribute, words: &[Symbol]) -> Option<Symbol> {
    let written = attribute.path().get_ident()?.to_string();
    if is_ours(attribute) {
        return None;
    }
    symbol::nearest(&written, words)
}
