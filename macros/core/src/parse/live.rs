//! `#[derive(Message)]` on an enum, and `#[derive(Expose)]` on a struct.

use proc_macro2::{Ident, Span, TokenStream};
use syn::{Attribute, Data, DeriveInput, Fields, LitStr, Path, parse_quote};

use super::field::{self, Place};
use super::{deprecated, doc, foreign, inside, krate, name_or, no_generics, snake_name_or};
use crate::attr;
use crate::errors::Errors;
use crate::model::{Field, Handle, Message, Messages, Target, Variant, View};
use crate::symbol::{CRATE, EXPOSE, EXPOSE_DERIVE, MESSAGE, MESSAGE_DERIVE, NODE, RENAME, SKIP, Symbol};

/// What the attribute says, of whichever it is.
#[derive(Default)]
struct Written {
    krate: Option<Path>,
    rename: Option<LitStr>,
    skip: Option<Span>,
    node: Option<Span>,
}

/// Reads the item; the target is whole even when the model is not.
pub(crate) fn messages(errors: &mut Errors, item: TokenStream) -> (Target, Option<Messages>) {
    let mut target = Target { item: TokenStream::new(), krate: parse_quote!(::nodecast_live), subject: None };
    let Some(item) = errors.ok(syn::parse2::<DeriveInput>(item)) else { return (target, None) };
    target.subject = Some((item.ident.clone(), item.generics.clone()));
    if let Some(path) = arguments(errors, &item.attrs, MESSAGE, &[CRATE]).krate {
        target.krate = path;
    }
    no_generics(errors, &item.generics, "an enum of messages");
    let borrows = item.generics.lifetimes().next().is_some();
    let data = match &item.data {
        Data::Enum(data) => data,
        Data::Struct(data) => {
            let message = format!("`{MESSAGE_DERIVE}` goes on an enum, one variant a message; write `enum`");
            errors.error(data.struct_token, message);
            return (target, None);
        }
        Data::Union(data) => {
            let message = format!("`{MESSAGE_DERIVE}` goes on an enum, one variant a message; write `enum`");
            errors.error(data.union_token, message);
            return (target, None);
        }
    };
    let variants = data.variants.iter().map(|variant| self::variant(errors, variant)).collect();
    let model = Messages { krate: target.krate.clone(), ident: item.ident, variants };
    // The lifetime is the mistake; each field that has it would only say so again.
    (target, (!borrows).then_some(model))
}

fn variant(errors: &mut Errors, variant: &syn::Variant) -> Variant {
    let said = arguments(errors, &variant.attrs, MESSAGE, &[RENAME, SKIP]);
    let message = match (said.skip, said.rename) {
        (Some(word), Some(_)) => {
            let detail =
                format!("no client can name what is `{SKIP}`ped, so `{RENAME}` says nothing; remove one of them");
            errors.at(word, detail);
            None
        }
        (Some(_), None) => None,
        (None, rename) => Some(Message {
            name: snake_name_or(rename, &variant.ident),
            doc: doc::doc(&variant.attrs),
            deprecated: deprecated::deprecated(&variant.attrs),
            fields: fields(errors, &variant.ident, &variant.fields),
        }),
    };
    Variant { cfgs: foreign::cfgs(&variant.attrs), ident: variant.ident.clone(), message }
}

fn fields(errors: &mut Errors, ident: &Ident, fields: &Fields) -> Vec<Field> {
    match fields {
        Fields::Named(named) => {
            named.named.iter().filter_map(|field| field::field(errors, Place::Message, field)).collect()
        }
        Fields::Unit => Vec::new(),
        Fields::Unnamed(unnamed) => {
            let way_out = if unnamed.unnamed.is_empty() {
                format!("write `{ident}` without `()`")
            } else {
                format!("write `{ident} {{ name: Type }}`, or `#[{MESSAGE}({SKIP})]` where no client sends it")
            };
            errors.error(unnamed, format!("a message needs named fields, since arguments go by name; {way_out}"));
            Vec::new()
        }
    }
}

/// Reads the item; the target is whole even when the model is not.
pub(crate) fn view(errors: &mut Errors, item: TokenStream) -> (Target, Option<View>) {
    let mut target = Target { item: TokenStream::new(), krate: parse_quote!(::nodecast_live), subject: None };
    let Some(item) = errors.ok(syn::parse2::<DeriveInput>(item)) else { return (target, None) };
    target.subject = Some((item.ident.clone(), item.generics.clone()));
    if let Some(path) = arguments(errors, &item.attrs, EXPOSE, &[CRATE]).krate {
        target.krate = path;
    }
    no_generics(errors, &item.generics, "what is exposed");
    let borrows = item.generics.lifetimes().next().is_some();
    let what = format!("`{EXPOSE_DERIVE}` goes on a struct, one field a name; write `struct`");
    let handles = match &item.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(named) => named.named.iter().filter_map(|field| handle(errors, field)).collect(),
            Fields::Unit => Vec::new(),
            Fields::Unnamed(unnamed) => {
                errors.error(
                    unnamed,
                    "what is exposed needs named fields, whose names clients see; write `{ name: Type }`",
                );
                Vec::new()
            }
        },
        Data::Enum(data) => {
            errors.error(data.enum_token, what);
            return (target, None);
        }
        Data::Union(data) => {
            errors.error(data.union_token, what);
            return (target, None);
        }
    };
    let model = View { krate: target.krate.clone(), ident: item.ident, handles };
    (target, (!borrows).then_some(model))
}

/// Reads a field; none for one that clients do not see.
fn handle(errors: &mut Errors, field: &syn::Field) -> Option<Handle> {
    let ident = field.ident.clone()?;
    let said = arguments(errors, &field.attrs, EXPOSE, &[NODE, RENAME, SKIP]);
    if let Some(skip) = said.skip {
        if said.node.is_some() || said.rename.is_some() {
            let other = if said.node.is_some() { NODE } else { RENAME };
            errors.at(skip, format!("nobody sees what is `{SKIP}`ped, so `{other}` says nothing; remove one of them"));
        }
        return None;
    }
    let name = name_or(said.rename, &ident);
    Some(Handle { cfgs: foreign::cfgs(&field.attrs), ident, name, ty: field.ty.clone(), node: said.node })
}

fn arguments(errors: &mut Errors, attrs: &[Attribute], attribute: Symbol, words: &[Symbol]) -> Written {
    let mut said = Written::default();
    for found in attrs.iter().filter(|found| found.path().is_ident(attribute.0)) {
        let Some(tokens) = inside(errors, found, attribute) else { continue };
        for arg in attr::arguments(errors, &format!("`#[{attribute}]`"), words, tokens) {
            if arg.word == CRATE {
                let path = krate(errors, &arg);
                attr::set(errors, &mut said.krate, &arg, path);
            } else if arg.word == RENAME {
                let text = attr::string(errors, &arg);
                attr::set(errors, &mut said.rename, &arg, text);
            } else {
                let word = attr::alone(errors, &arg);
                let slot = if arg.word == SKIP { &mut said.skip } else { &mut said.node };
                attr::set(errors, slot, &arg, word);
            }
        }
    }
    said
}
