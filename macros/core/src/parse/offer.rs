//! `#[resource(…)]` and `#[prompt(…)]` on a struct.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::{Attribute, Fields, Item, LitStr};

use super::field::{self, Place};
use super::words::Shared;
use super::{default_krate, deprecated, doc, first_word, krate, no_generics, snake_name_or};
use crate::attr;
use crate::errors::Errors;
use crate::model::{Field, Prompt, Resource, Target};
use crate::symbol::{CACHE_SCOPE, CRATE, ICONS, META, MIME, NAME, PROMPT, RESOURCE, Symbol, TITLE, TTL_MS, URI};

const RESOURCE_WORDS: &[Symbol] = &[URI, NAME, TITLE, MIME, TTL_MS, CACHE_SCOPE, ICONS, META, CRATE];
const PROMPT_WORDS: &[Symbol] = &[NAME, TITLE, ICONS, META, CRATE];

/// Reads the attribute and its item; the target is whole even when the model is not.
pub(crate) fn resource(errors: &mut Errors, args: TokenStream, item: TokenStream) -> (Target, Option<Resource>) {
    let before = errors.count();
    let said = arguments(errors, RESOURCE, RESOURCE_WORDS, args);
    let clear = errors.count() == before;
    let (target, read) = strukt(errors, Place::Resource, &said, item);
    let Some(Strukt { ident, attrs, fields }) = read else { return (target, None) };
    let Some(uri) = said.uri else {
        // A word that is misspelt may be this one.
        if clear {
            let message = format!("a resource needs its URI; write `#[{RESOURCE}({URI} = \"scheme://…\")]`");
            errors.error(&ident, message);
        }
        return (target, None);
    };
    let model = Resource {
        krate: target.krate.clone(),
        name: snake_name_or(said.name, &ident),
        ident,
        uri,
        title: said.title,
        doc: doc::doc(&attrs),
        mime: said.mime,
        ttl_ms: said.shared.ttl_ms,
        cache_scope: said.shared.cache_scope,
        icons: said.shared.icons.unwrap_or_default(),
        meta: said.shared.meta.unwrap_or_default(),
        deprecated: deprecated::deprecated(&attrs),
        fields,
    };
    (target, Some(model))
}

/// Reads the attribute and its item; the target is whole even when the model is not.
pub(crate) fn prompt(errors: &mut Errors, args: TokenStream, item: TokenStream) -> (Target, Option<Prompt>) {
    let said = arguments(errors, PROMPT, PROMPT_WORDS, args);
    let (target, read) = strukt(errors, Place::Prompt, &said, item);
    let Some(Strukt { ident, attrs, fields }) = read else { return (target, None) };
    let model = Prompt {
        krate: target.krate.clone(),
        name: snake_name_or(said.name, &ident),
        ident,
        title: said.title,
        doc: doc::doc(&attrs),
        icons: said.shared.icons.unwrap_or_default(),
        meta: said.shared.meta.unwrap_or_default(),
        deprecated: deprecated::deprecated(&attrs),
        fields,
    };
    (target, Some(model))
}

#[derive(Default)]
struct Written {
    krate: Option<syn::Path>,
    uri: Option<LitStr>,
    name: Option<LitStr>,
    title: Option<LitStr>,
    mime: Option<LitStr>,
    shared: Shared,
}

fn arguments(errors: &mut Errors, attribute: Symbol, known: &[Symbol], args: TokenStream) -> Written {
    let mut said = Written::default();
    for arg in attr::arguments(errors, &format!("`#[{attribute}]`"), known, args) {
        if arg.word == CRATE {
            let path = krate(errors, &arg);
            attr::set(errors, &mut said.krate, &arg, path);
        } else if said.shared.takes(errors, &arg) {
            // Said in words that others have too.
        } else {
            let text = attr::string(errors, &arg);
            let slot = if arg.word == URI {
                &mut said.uri
            } else if arg.word == NAME {
                &mut said.name
            } else if arg.word == TITLE {
                &mut said.title
            } else {
                &mut said.mime
            };
            attr::set(errors, slot, &arg, text);
        }
    }
    said
}

/// What of the struct the two have alike.
struct Strukt {
    ident: Ident,
    attrs: Vec<Attribute>,
    fields: Vec<Field>,
}

fn strukt(errors: &mut Errors, place: Place, said: &Written, item: TokenStream) -> (Target, Option<Strukt>) {
    let krate = said.krate.clone().unwrap_or_else(default_krate);
    let mut target = Target { item: item.clone(), krate, subject: None };
    let (word, what) = match place {
        Place::Prompt => (PROMPT, "a prompt"),
        Place::Node | Place::Outputs | Place::Resource | Place::Message => (RESOURCE, "a resource"),
    };
    let mut item = match errors.ok(syn::parse2::<Item>(item)) {
        Some(Item::Struct(item)) => item,
        Some(other) => {
            if let Item::Enum(syn::ItemEnum { ident, generics, .. }) = &other {
                target.subject = Some((ident.clone(), generics.clone()));
            }
            let first = keyword(&other);
            errors.error(first, format!("`#[{word}]` goes on a struct, one field an argument; write `struct`"));
            return (target, None);
        }
        None => return (target, None),
    };
    target.subject = Some((item.ident.clone(), item.generics.clone()));
    no_generics(errors, &item.generics, what);
    let mut sound = item.generics.lifetimes().next().is_none();
    let fields: Vec<Field> = match &item.fields {
        Fields::Named(named) => named.named.iter().filter_map(|field| field::field(errors, place, field)).collect(),
        Fields::Unit => Vec::new(),
        Fields::Unnamed(unnamed) => {
            let way_out =
                if unnamed.unnamed.is_empty() { "write `;` in place of `()`" } else { "write `{ name: Type }`" };
            errors.error(unnamed, format!("{what} needs named fields, since arguments go by name; {way_out}"));
            sound = false;
            Vec::new()
        }
    };
    field::strip(&mut item.fields, &fields);
    target.item = item.to_token_stream();
    // The lifetime or the missing names are the mistake; what else could be said of the fields would only follow from it.
    let read = sound.then_some(Strukt { ident: item.ident, attrs: item.attrs, fields });
    (target, read)
}

/// The word that says what an item is.
fn keyword(item: &Item) -> TokenStream {
    match item {
        Item::Enum(item) => item.enum_token.to_token_stream(),
        Item::Union(item) => item.union_token.to_token_stream(),
        other => first_word(other).into_iter().collect(),
    }
}
