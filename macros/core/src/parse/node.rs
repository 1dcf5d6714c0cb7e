//! `#[node(…)]` on a struct.

use heck::ToUpperCamelCase;
use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{Fields, FnArg, Generics, Item, LitStr, Pat, Signature};

use super::field::{self, Place};
use super::words::Shared;
use super::{default_krate, deprecated, doc, first_word, krate, no_generics, snake_name_or};
use crate::attr::{self, Arg, Said};
use crate::errors::Errors;
use crate::model::{Batching, Field, Hint, Hints, Node, Target, TaskMode};
use crate::symbol::{
    BATCHED, CONCURRENCY, CRATE, DESTRUCTIVE, FALLBACK, ICONS, IDEMPOTENT, MAX, META, NAME, NODE, OPEN_WORLD, OPTIONAL,
    RAW_SCHEMA, READ_ONLY, REQUIRED, Symbol, TASK, TITLE, UNSTABLE, WAIT_MS, WAITS,
};
use crate::written::written;

const WORDS: &[Symbol] = &[
    NAME,
    TITLE,
    READ_ONLY,
    DESTRUCTIVE,
    IDEMPOTENT,
    OPEN_WORLD,
    UNSTABLE,
    BATCHED,
    TASK,
    WAITS,
    FALLBACK,
    ICONS,
    META,
    RAW_SCHEMA,
    CRATE,
];

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
    let fields: Vec<Field> = match &item.fields {
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
    field::strip(&mut item.fields, &fields);
    target.item = item.to_token_stream();
    let model = Node {
        krate: target.krate.clone(),
        name: snake_name_or(said.name, &item.ident),
        ident: item.ident,
        title: said.title,
        doc: doc::doc(&item.attrs),
        hints: said.hints,
        unstable: said.unstable.is_some(),
        deprecated: deprecated::deprecated(&item.attrs),
        raw_schema: said.raw_schema,
        batched: said.batched,
        task: said.task,
        waits: said.waits.is_some(),
        fallback: said.fallback.is_some(),
        icons: said.shared.icons.unwrap_or_default(),
        meta: said.shared.meta.unwrap_or_default(),
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
    unstable: Option<Span>,
    raw_schema: Option<LitStr>,
    batched: Option<Batching>,
    task: Option<TaskMode>,
    waits: Option<Span>,
    fallback: Option<Span>,
    shared: Shared,
}

fn arguments(errors: &mut Errors, args: TokenStream) -> Written {
    let mut said = Written::default();
    for arg in attr::arguments(errors, "`#[node]`", WORDS, args) {
        if arg.word == CRATE {
            let path = krate(errors, &arg);
            attr::set(errors, &mut said.krate, &arg, path);
        } else if arg.word == NAME || arg.word == TITLE || arg.word == RAW_SCHEMA {
            let text = attr::string(errors, &arg);
            let slot = if arg.word == NAME {
                &mut said.name
            } else if arg.word == TITLE {
                &mut said.title
            } else {
                &mut said.raw_schema
            };
            attr::set(errors, slot, &arg, text);
        } else if arg.word == UNSTABLE || arg.word == WAITS || arg.word == FALLBACK {
            let word = attr::alone(errors, &arg);
            let slot = if arg.word == UNSTABLE {
                &mut said.unstable
            } else if arg.word == WAITS {
                &mut said.waits
            } else {
                &mut said.fallback
            };
            attr::set(errors, slot, &arg, word);
        } else if arg.word == TASK {
            let modes = [(OPTIONAL, TaskMode::Optional), (REQUIRED, TaskMode::Required)];
            let mode = attr::one_of(errors, &arg, &modes, None);
            attr::set(errors, &mut said.task, &arg, mode);
        } else if said.shared.takes(errors, &arg) {
            // Said in words that others have too.
        } else if arg.word == BATCHED {
            let batching = batched(errors, &arg);
            attr::set(errors, &mut said.batched, &arg, batching);
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

/// `batched(max = 32, wait_ms = 10)`; the bounds are those of `wire.md` 7.
fn batched(errors: &mut Errors, arg: &Arg) -> Option<Batching> {
    let Said::List(list) = &arg.said else {
        let message = format!("`{BATCHED}` takes its bounds in a list; write `{BATCHED}({MAX} = 32, {WAIT_MS} = 10)`");
        errors.error(&arg.word, message);
        return None;
    };
    let mut said = Batching::default();
    for bound in attr::arguments(errors, &format!("`{BATCHED}`"), &[MAX, WAIT_MS, CONCURRENCY], list.stream()) {
        if bound.word == MAX {
            let value = attr::whole(errors, &bound, 1..=4096);
            attr::set(errors, &mut said.max, &bound, value);
        } else if bound.word == WAIT_MS {
            let value = attr::whole(errors, &bound, 0..=1000);
            attr::set(errors, &mut said.wait_ms, &bound, value);
        } else {
            let value = attr::whole(errors, &bound, 1..=4096);
            attr::set(errors, &mut said.concurrency, &bound, value);
        }
    }
    Some(said)
}

fn expect_struct(errors: &mut Errors, target: &mut Target, item: Item) -> Option<syn::ItemStruct> {
    let mut subject = |ident: &Ident, generics: &Generics| target.subject = Some((ident.clone(), generics.clone()));
    match item {
        Item::Struct(item) => return Some(item),
        Item::Enum(item) => {
            subject(&item.ident, &item.generics);
            let ty = &item.ident;
            let message = format!(
                "`#[{NODE}]` goes on a struct, one field an argument; write one with a field of this type, such as `choice: {ty}`"
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
        Item::Fn(item) => errors.error(function_keyword(&item.sig), function(&item.sig)),
        other => {
            errors.error(
                first_word(&other),
                format!("`#[{NODE}]` goes on the struct of a node's arguments; move it there"),
            );
        }
    }
    None
}

fn function_keyword(signature: &Signature) -> TokenStream {
    match &signature.asyncness {
        Some(word) => word.to_token_stream(),
        None => signature.fn_token.to_token_stream(),
    }
}

/// The struct that a function's arguments would be.
fn function(signature: &Signature) -> String {
    let name = signature.ident.unraw().to_string().to_upper_camel_case();
    let fields: Vec<String> = signature
        .inputs
        .iter()
        .filter_map(|argument| match argument {
            FnArg::Typed(typed) => match &*typed.pat {
                Pat::Ident(field) => Some(format!("{}: {}", field.ident, written(&typed.ty))),
                _ => None,
            },
            FnArg::Receiver(_) => None,
        })
        .collect();
    let body = if fields.is_empty() { ";".to_owned() } else { format!(" {{ {} }}", fields.join(", ")) };
    format!(
        "`#[{NODE}]` goes on the struct of a node's arguments; write `struct {name}{body}`, and `run` in `impl Node<…> for {name}`"
    )
}
