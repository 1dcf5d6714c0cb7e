//! Attributes that work elsewhere, and what they do on the field of a node, which has no derive of its own.

use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{Attribute, Meta, Token};

use crate::errors::Errors;
use crate::model::Cfgs;
use crate::symbol::{self, CFG, CFG_ATTR, CONFIG, DEFAULT, DEPRECATED, DISPLAY, DOC, PORT, RENAME, SERDE, Symbol};

/// The attributes that decide whether it is there.
pub(crate) fn cfgs(attributes: &[Attribute]) -> Cfgs {
    Cfgs(attributes.iter().filter(|attribute| attribute.path().is_ident(CFG.0)).cloned().collect())
}

/// Answers an attribute that would do nothing, or harm, on the field of a node.
pub(crate) fn check(errors: &mut Errors, attribute: &Attribute) {
    let path = attribute.path();
    if path.is_ident(SERDE.0) {
        errors.error(path, serde(&attribute.meta));
    } else if let Some(held) = held(attribute) {
        let message = if held.path().is_ident(SERDE.0) {
            serde(&held)
        } else if held.path().is_ident(CFG.0) {
            format!("`{CFG}` in `#[{CFG_ATTR}]` hides whether the field is there; write one `#[{CFG}(any(…))]`")
        } else {
            let word = held.path().to_token_stream();
            format!(
                "`{word}` in `#[{CFG_ATTR}]` does not reach the table; write two versions of the field, each with its `#[{CFG}(…)]`"
            )
        };
        errors.error(held.path(), message);
    } else if let Some(word) = misspelt(attribute) {
        errors.error(path, format!("unknown attribute `{}`; write `#[{word}]`", path.to_token_stream()));
    }
}

/// Whether the attribute stays on the field: the user's item compiles without us.
pub(crate) fn stays(attribute: &Attribute) -> bool {
    !is_ours(attribute)
        && !attribute.path().is_ident(SERDE.0)
        && held(attribute).is_none()
        && misspelt(attribute).is_none()
}

fn serde(meta: &Meta) -> String {
    let said = meta.to_token_stream().to_string();
    let way_out = if said.contains(RENAME.0) {
        "write `#[port(name = \"…\")]`"
    } else if said.contains(DEFAULT.0) {
        "write `#[config(default = …)]`, or `Option<T>` for what may be left out"
    } else {
        "put it on a struct of its own and use that as the field's type"
    };
    format!("a node has no serde derive, so `#[{SERDE}]` does nothing here; {way_out}")
}

/// The first attribute inside `#[cfg_attr(…)]` that the table would need to know of.
fn held(attribute: &Attribute) -> Option<Meta> {
    let Meta::List(list) = &attribute.meta else { return None };
    if !list.path.is_ident(CFG_ATTR.0) {
        return None;
    }
    let metas = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated).ok()?;
    // The first is the condition.
    metas.into_iter().skip(1).find_map(read_by_us)
}

fn read_by_us(meta: Meta) -> Option<Meta> {
    if let Meta::List(list) = &meta
        && list.path.is_ident(CFG_ATTR.0)
    {
        let metas = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated).ok()?;
        return metas.into_iter().skip(1).find_map(read_by_us);
    }
    let path = meta.path();
    let described = path.is_ident(DOC.0) && matches!(meta, Meta::NameValue(_));
    let read = [PORT, CONFIG, DISPLAY, DEPRECATED, CFG, SERDE].iter().any(|word| path.is_ident(word.0));
    (described || read).then_some(meta)
}

fn is_ours(attribute: &Attribute) -> bool {
    [PORT, CONFIG, DISPLAY].iter().any(|word| attribute.path().is_ident(word.0))
}

/// The attribute of ours that this one looks like; another's is left to the compiler.
fn misspelt(attribute: &Attribute) -> Option<Symbol> {
    let written = attribute.path().get_ident()?.to_string();
    if is_ours(attribute) {
        return None;
    }
    symbol::nearest(&written, &[PORT, CONFIG])
}
