//! `#[node(…)]` on a struct.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::{Fields, Generics, Item, LitStr};

use super::field::{self, Place};
use super::{default_krate, doc, krate, no_generics, snake_name_or};
use crate::attr;
use crate::errors::Errors;
use crate::model::{Hint, Hints, Node, Target};
use crate::symbol::{CRATE, DESTRUCTIVE, IDEMPOTENT, NAME, NODE, OPEN_WORLD, READ_ONLY, Symbol, TITLE};

const WORDS: &[Symbol] = &[NAME, TITLE, READ_ONLY, DESTRUCTIVE, IDEMPOTENT, OPEN_WORLD, CRATE];

/// Reads the attribute and its item; the target is whole even when the model is not.
pub(crate) fn node(errors: &mut Errors, args: TokenStream, item: TokenStream) -> (Target, Option<Node>) {
    let mut target = Target { item: item.clone(), krate: default_krate(), subject: None };
    let said = arguments(errors, args);
    if let Some(krate) = &said.krate {
        target.krate = krate.clone();
    }
    let Some(item) = errors.ok(syn::parse2::<Item>(item)) else { return (target, None) };
    let Some(mut item) = expect_struct(errors, &mut target, item) else { return (target, None) };
    target.subject = Some((item.ident.clone(), item.generics.clone()));
    no_generics(errors, &item.generics, "a node");
    let borrows = item.generics.lifetimes().next().is_some();
    let fields = match &item.fields {
        Fields::Named(named) => {
            named.named.iter().filter_map(|field| field::field(errors, Place::Node, field)).collect()
        }
        Fields::Unit => Vec::new(),
        Fields::Unnamed(unnamed) => {
            let way_out =
                if unnamed.unnamed.is_empty() { "write `;` in place of `()`" } else { "write `{ name: Type }`" };
            errors.error(unnamed, format!("a node needs named fields, since arguments go by name; {way_out}"));
            Vec::new()
        }
    };
    field::strip(&mut item.fields);
    target.item = item.to_token_stream();
    let model = Node {
        krate: target.krate.clone(),
        name: snake_name_or(said.name, &item.ident),
        ident: item.ident,
        title: said.title,
        doc: doc::doc(&item.attrs),
        hints: said.hints,
        fields,
    };
    // The lifetime is the mistake; each field that has it would only say so again.
    (target, (!borrows).then_some(model))
}

#[derive(Default)]
struct Written {
    krate: Option<syn::Path>,
    name: Option<LitStr>,
    title: Option<LitStr>,
    hints: Hints,
}

fn arguments(errors: &mut Errors, args: TokenStream) -> Written {
    let mut said = Written::default();
    for arg in attr::arguments(errors, "`#[node]`", WORDS, args) {
        if arg.word == CRATE {
            let path = krate(errors, &arg);
            attr::set(errors, &mut said.krate, &arg, path);
        } else if arg.word == NAME || arg.word == TITLE {
            let text = attr::string(errors, &arg);
            let slot = if arg.word == NAME { &mut said.name } else { &mut said.title };
            attr::set(errors, slot, &arg, text);
        } else {
            let hint = attr::flag(errors, &arg).map(|said| Hint { said, span: arg.word.span() });
            let hints = &mut said.hints;
            let slot = if arg.word == READ_ONLY {
                &mut hints.read_only
            } else if arg.word == DESTRUCTIVE {
                &mut hints.destructive
            } else if arg.word == IDEMPOTENT {
                &mut hints.idempotent
            } else {
                &mut hints.open_world
            };
            attr::set(errors, slot, &arg, hint);
        }
    }
    said
}

fn expect_struct(errors: &mut Errors, target: &mut Target, item: Item) -> Option<syn::ItemStruct> {
    let mut subject = |ident: &Ident, generics: &Generics| target.subject = Some((ident.clone(), generics.clone()));
    match item {
        Item::Struct(item) => return Some(item),
        Item::Enum(item) => {
            subject(&item.ident, &item.generics);
            let message = format!(
                "`#[{NODE}]` goes on a struct, one field an argument; write `struct {0} {{ choice: … }}` with the enum as a type",
                item.ident
            );
            errors.error(item.enum_token, message);
        }
        Item::Union(item) => {
            subject(&item.ident, &item.generics);
            errors.error(
                item.union_token,
                format!("`#[{NODE}]` goes on a struct, one field an argument; write `struct`"),
            );
        }
        other => {
            let first = other.to_token_stream().into_iter().next();
            let message =
                format!("`#[{NODE}]` goes on the struct of a node's arguments; `run` stands in `impl Node<…> for` it");
            errors.error(first, message);
        }
    }
    None
}
