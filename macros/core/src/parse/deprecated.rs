//! The language's own `#[deprecated]`, which stays on the item and enters the table.

use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprLit, Lit, Meta, MetaNameValue, Token};

use crate::model::Deprecation;
use crate::symbol::{DEPRECATED, NOTE, SINCE};

/// What it says; a malformed one is left to the compiler, which reports it on the item.
pub(crate) fn deprecated(attributes: &[Attribute]) -> Option<Deprecation> {
    let attribute = attributes.iter().find(|attribute| attribute.path().is_ident(DEPRECATED.0))?;
    let mut said = Deprecation::default();
    match &attribute.meta {
        Meta::Path(_) => {}
        Meta::NameValue(pair) => said.note = text(&pair.value),
        Meta::List(list) => {
            let pairs = list.parse_args_with(Punctuated::<MetaNameValue, Token![,]>::parse_terminated);
            for pair in pairs.into_iter().flatten() {
                if pair.path.is_ident(SINCE.0) {
                    said.since = text(&pair.value);
                } else if pair.path.is_ident(NOTE.0) {
                    said.note = text(&pair.value);
                }
            }
        }
    }
    Some(said)
}

fn text(value: &Expr) -> String {
    match value {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => text.value(),
        // Inside the invisible group of a `macro_rules!`.
        Expr::Group(group) => text(&group.expr),
        _ => String::new(),
    }
}
