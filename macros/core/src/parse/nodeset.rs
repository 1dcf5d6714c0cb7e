//! `#[nodeset(…)]` on a struct or an enum.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Item, LitStr, Path};

use super::{default_krate, doc, krate, no_generics, snake_name_or};
use crate::attr::{self, Arg, Said};
use crate::errors::Errors;
use crate::model::{Exclusivity, Name, Nodeset, Parallelism, Target};
use crate::symbol::{
    CRATE, EXCLUSIVE, INSTRUCTIONS, NAME, NODES, NODESET, PARALLELISM, PREFIX, REPLICATED, SHARED, Symbol, TITLE,
};

const WORDS: &[Symbol] = &[NAME, PREFIX, TITLE, INSTRUCTIONS, PARALLELISM, EXCLUSIVE, NODES, CRATE];

/// Reads the attribute and its item; the target is whole even when the model is not.
pub(crate) fn nodeset(errors: &mut Errors, args: TokenStream, item: TokenStream) -> (Target, Option<Nodeset>) {
    let mut target = Target { item: item.clone(), krate: default_krate(), subject: None };
    let said = arguments(errors, args);
    if let Some(krate) = &said.krate {
        target.krate = krate.clone();
    }
    let (attrs, ident, generics) = match errors.ok(syn::parse2::<Item>(item)) {
        Some(Item::Struct(item)) => (item.attrs, item.ident, item.generics),
        Some(Item::Enum(item)) => (item.attrs, item.ident, item.generics),
        Some(other) => {
            let first = other.to_token_stream().into_iter().next();
            errors.error(first, format!("`#[{NODESET}]` goes on the struct that its nodes share"));
            return (target, None);
        }
        None => return (target, None),
    };
    target.subject = Some((ident.clone(), generics.clone()));
    no_generics(errors, &generics, "a nodeset");
    let model = Nodeset {
        krate: target.krate.clone(),
        name: snake_name_or(said.name, &ident),
        ident,
        prefix: said.prefix.map(|text| Name { text: text.value(), span: text.span() }),
        title: said.title,
        doc: doc::doc(&attrs),
        instructions: said.instructions,
        parallelism: said.parallelism.unwrap_or_default(),
        exclusive: said.exclusive,
        nodes: said.nodes.unwrap_or_default(),
    };
    (target, Some(model))
}

#[derive(Default)]
struct Written {
    krate: Option<Path>,
    name: Option<LitStr>,
    prefix: Option<LitStr>,
    title: Option<LitStr>,
    instructions: Option<LitStr>,
    parallelism: Option<Parallelism>,
    exclusive: Option<Exclusivity>,
    nodes: Option<Vec<Path>>,
}

fn arguments(errors: &mut Errors, args: TokenStream) -> Written {
    let mut said = Written::default();
    for arg in attr::arguments(errors, "`#[nodeset]`", WORDS, args) {
        if arg.word == CRATE {
            let path = krate(errors, &arg);
            attr::set(errors, &mut said.krate, &arg, path);
        } else if arg.word == PARALLELISM {
            let value = parallelism(errors, &arg);
            attr::set(errors, &mut said.parallelism, &arg, value);
        } else if arg.word == EXCLUSIVE {
            let value = attr::flag(errors, &arg).map(|on| if on { Exclusivity::Mcp } else { Exclusivity::Open });
            attr::set(errors, &mut said.exclusive, &arg, value);
        } else if arg.word == NODES {
            let value = nodes(errors, &arg);
            attr::set(errors, &mut said.nodes, &arg, value);
        } else {
            let text = attr::string(errors, &arg);
            let slot = if arg.word == NAME {
                &mut said.name
            } else if arg.word == PREFIX {
                &mut said.prefix
            } else if arg.word == TITLE {
                &mut said.title
            } else {
                &mut said.instructions
            };
            attr::set(errors, slot, &arg, text);
        }
    }
    said
}

fn parallelism(errors: &mut Errors, arg: &Arg) -> Option<Parallelism> {
    let text = attr::string(errors, arg)?;
    let value = text.value();
    if value == SHARED.0 {
        return Some(Parallelism::Shared);
    }
    if value == REPLICATED.0 {
        return Some(Parallelism::Replicated);
    }
    let message = format!("unknown parallelism `{value}`; expected `\"{SHARED}\"` or `\"{REPLICATED}\"`");
    errors.error(text, message);
    None
}

fn nodes(errors: &mut Errors, arg: &Arg) -> Option<Vec<Path>> {
    let Said::List(list) = &arg.said else {
        errors.error(&arg.word, format!("`{NODES}` takes a list of node structs; write `{NODES}(First, Second)`"));
        return None;
    };
    let mut paths = Vec::new();
    for part in attr::split(errors, list.stream()) {
        match part.clone().into_iter().next() {
            Some(TokenTree::Punct(first)) if first.as_char() == '#' => {
                let message = format!(
                    "an attribute in `{NODES}(…)` is not supported; put `#[cfg]` on two versions of the nodeset"
                );
                errors.error(part, message);
            }
            _ => match syn::parse2::<Path>(part.clone()) {
                Ok(path) => paths.push(path),
                Err(_) => errors.error(part, "expected the path of a node struct, such as `SegmentAuto`"),
            },
        }
    }
    Some(paths)
}
