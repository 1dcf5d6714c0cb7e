//! From tokens to the model: reports what is malformed and goes on with what is left.

mod config;
mod container;
mod deprecated;
mod display;
mod doc;
mod error;
mod field;
mod foreign;
mod live;
mod node;
mod nodeset;
mod offer;
mod outputs;
mod port;
mod words;

use heck::ToSnakeCase;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{Attribute, Generics, Item, LitStr, Path, parse_quote};

pub(crate) use container::container;
pub(crate) use error::node_error;
pub(crate) use live::{messages, view};
pub(crate) use node::node;
pub(crate) use nodeset::nodeset;
pub(crate) use offer::{prompt, resource};
pub(crate) use outputs::outputs;

use crate::attr::{self, Arg};
use crate::errors::Errors;
use crate::model::Name;
use crate::symbol::{CRATE, Symbol};

/// The name of our crate where the user does not rename it.
pub(crate) fn default_krate() -> Path {
    parse_quote!(::nodecast)
}

/// `crate = "path"`.
fn krate(errors: &mut Errors, arg: &Arg) -> Option<Path> {
    let text = attr::string(errors, arg)?;
    let path = text.parse_with(Path::parse_mod_style).ok();
    if path.is_none() {
        errors.error(&text, format!("expected the path of the crate; write `{CRATE} = \"::nodecast\"`"));
    }
    path
}

/// A declared name, else the identifier without its raw prefix.
fn name_or(declared: Option<LitStr>, ident: &Ident) -> Name {
    match declared {
        Some(text) => Name { text: text.value(), span: text.span() },
        None => Name { text: ident.unraw().to_string(), span: ident.span() },
    }
}

/// A declared name, else the identifier in `snake_case`.
fn snake_name_or(declared: Option<LitStr>, ident: &Ident) -> Name {
    match declared {
        Some(text) => Name { text: text.value(), span: text.span() },
        None => Name { text: ident.unraw().to_string().to_snake_case(), span: ident.span() },
    }
}

/// The tokens in the parentheses of `#[word(…)]`, none for a bare `#[word]`.
fn inside(errors: &mut Errors, attribute: &Attribute, word: Symbol) -> Option<TokenStream> {
    match &attribute.meta {
        syn::Meta::Path(_) => Some(TokenStream::new()),
        syn::Meta::List(list) => Some(list.tokens.clone()),
        syn::Meta::NameValue(pair) => {
            errors.error(pair.eq_token, format!("expected a list; write `#[{word}(…)]`"));
            None
        }
    }
}

/// The word that says what an item is: the first behind its attributes, of which a doc comment is one, and its visibility.
fn first_word(item: &Item) -> Option<TokenTree> {
    let mut tokens = item.to_token_stream().into_iter().peekable();
    while tokens.next_if(|token| matches!(token, TokenTree::Punct(punct) if punct.as_char() == '#')).is_some() {
        tokens.next();
    }
    if tokens.next_if(|token| matches!(token, TokenTree::Ident(word) if word == "pub")).is_some() {
        tokens.next_if(|token| matches!(token, TokenTree::Group(_)));
    }
    tokens.next()
}

/// Reports generics, which the table cannot hold: a row of it is one concrete type.
fn no_generics(errors: &mut Errors, generics: &Generics, what: &str) {
    if generics.params.is_empty() {
        if let Some(clause) = &generics.where_clause {
            errors.error(clause, format!("{what} cannot have a `where` clause; remove it"));
        }
        return;
    }
    for param in &generics.params {
        let way_out = match param {
            syn::GenericParam::Lifetime(_) => "fields own their values; write `String` for `&str`, `Vec<T>` for `&[T]`",
            syn::GenericParam::Type(_) | syn::GenericParam::Const(_) => {
                "the table holds concrete types; write the type in its place"
            }
        };
        errors.error(param, format!("{what} cannot be generic: {way_out}"));
    }
}
