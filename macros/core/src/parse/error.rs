//! `#[derive(NodeError)]` on an enum or a struct.

use proc_macro2::{Ident, TokenStream};
use syn::{Attribute, Data, DeriveInput, LitStr, Path};

use super::{default_krate, doc, inside, krate, no_generics, snake_name_or};
use crate::attr;
use crate::errors::Errors;
use crate::model::{ErrorShape, Kind, NodeError, Target};
use crate::symbol::{CRATE, NAME, NODE_ERROR, NODE_ERROR_DERIVE, RETRYABLE, Symbol};

/// Reads the item; the target is whole even when the model is not.
pub(crate) fn node_error(errors: &mut Errors, item: TokenStream) -> (Target, Option<NodeError>) {
    let mut target = Target { item: TokenStream::new(), krate: default_krate(), subject: None };
    let Some(item) = errors.ok(syn::parse2::<DeriveInput>(item)) else { return (target, None) };
    target.subject = Some((item.ident.clone(), item.generics.clone()));
    no_generics(errors, &item.generics, "the error of a node");
    let (shape, words): (_, &[Symbol]) = match &item.data {
        Data::Struct(_) => (ErrorShape::Struct, &[NAME, RETRYABLE, CRATE]),
        Data::Enum(_) => (ErrorShape::Enum, &[NAME, RETRYABLE, CRATE]),
        Data::Union(data) => {
            errors.error(
                data.union_token,
                format!("`{NODE_ERROR_DERIVE}` goes on an enum, one variant a kind; write `enum`"),
            );
            return (target, None);
        }
    };
    let mut whole = arguments(errors, &item.attrs, words);
    if let Some(path) = whole.krate.take() {
        target.krate = path;
    }
    if shape == ErrorShape::Enum {
        for word in &whole.of_kind {
            errors.error(word, format!("`{word}` is said of one kind; move it to a variant"));
        }
    }
    let kinds = match &item.data {
        Data::Enum(data) => data
            .variants
            .iter()
            .map(|variant| {
                let said = arguments(errors, &variant.attrs, &[NAME, RETRYABLE]);
                kind(said, &variant.ident, &variant.attrs)
            })
            .collect(),
        Data::Struct(_) | Data::Union(_) => vec![kind(whole, &item.ident, &item.attrs)],
    };
    let model = NodeError { krate: target.krate.clone(), ident: item.ident, shape, kinds };
    (target, Some(model))
}

#[derive(Default)]
struct Written {
    name: Option<LitStr>,
    retryable: Option<bool>,
    krate: Option<Path>,
    /// The words that speak of a kind.
    of_kind: Vec<Ident>,
}

fn kind(said: Written, ident: &Ident, attrs: &[Attribute]) -> Kind {
    Kind {
        ident: ident.clone(),
        name: snake_name_or(said.name, ident),
        doc: doc::doc(attrs),
        retryable: said.retryable.unwrap_or_default(),
    }
}

fn arguments(errors: &mut Errors, attrs: &[Attribute], words: &[Symbol]) -> Written {
    let mut said = Written::default();
    for attribute in attrs.iter().filter(|attribute| attribute.path().is_ident(NODE_ERROR.0)) {
        let Some(tokens) = inside(errors, attribute, NODE_ERROR) else { continue };
        for arg in attr::arguments(errors, "`#[node_error]`", words, tokens) {
            if arg.word != CRATE {
                said.of_kind.push(arg.word.clone());
            }
            if arg.word == NAME {
                let text = attr::string(errors, &arg);
                attr::set(errors, &mut said.name, &arg, text);
            } else if arg.word == RETRYABLE {
                let value = attr::flag(errors, &arg);
                attr::set(errors, &mut said.retryable, &arg, value);
            } else {
                let path = krate(errors, &arg);
                attr::set(errors, &mut said.krate, &arg, path);
            }
        }
    }
    said
}
