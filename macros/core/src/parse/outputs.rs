//! `#[derive(Outputs)]` on a struct.

use proc_macro2::TokenStream;
use syn::{Data, DeriveInput, Fields};

use super::field::{self, Place};
use super::{default_krate, deprecated, inside, krate, no_generics};
use crate::attr;
use crate::errors::Errors;
use crate::model::{Outputs, Target};
use crate::symbol::{CRATE, OUTPUTS, OUTPUTS_DERIVE};

/// Reads the item; the target is whole even when the model is not.
pub(crate) fn outputs(errors: &mut Errors, item: TokenStream) -> (Target, Option<Outputs>) {
    let mut target = Target { item: TokenStream::new(), krate: default_krate(), subject: None };
    let Some(item) = errors.ok(syn::parse2::<DeriveInput>(item)) else { return (target, None) };
    target.subject = Some((item.ident.clone(), item.generics.clone()));
    let mut path = None;
    for attribute in item.attrs.iter().filter(|attribute| attribute.path().is_ident(OUTPUTS.0)) {
        let Some(tokens) = inside(errors, attribute, OUTPUTS) else { continue };
        for arg in attr::arguments(errors, "`#[outputs]`", &[CRATE], tokens) {
            let read = krate(errors, &arg);
            attr::set(errors, &mut path, &arg, read);
        }
    }
    if let Some(path) = path {
        target.krate = path;
    }
    no_generics(errors, &item.generics, "outputs");
    let borrows = item.generics.lifetimes().next().is_some();
    let fields = match &item.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(named) => {
                named.named.iter().filter_map(|field| field::field(errors, Place::Outputs, field)).collect()
            }
            Fields::Unit => Vec::new(),
            Fields::Unnamed(unnamed) => {
                errors.error(
                    unnamed,
                    "outputs need named fields, since ports go by name; write `{ name: Type }`, or return `nodecast::One`",
                );
                Vec::new()
            }
        },
        Data::Enum(data) => {
            let message =
                format!("`{OUTPUTS_DERIVE}` goes on a struct, one field a port; return `nodecast::One` of the enum");
            errors.error(data.enum_token, message);
            return (target, None);
        }
        Data::Union(data) => {
            errors.error(
                data.union_token,
                format!("`{OUTPUTS_DERIVE}` goes on a struct, one field a port; write `struct`"),
            );
            return (target, None);
        }
    };
    let deprecated = deprecated::deprecated(&item.attrs);
    let model = Outputs { krate: target.krate.clone(), ident: item.ident, deprecated, fields };
    // The lifetime is the mistake; each field that has it would only say so again.
    (target, (!borrows).then_some(model))
}
