//! The descriptor of a field.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;

use super::written::written;
use super::{config, doc, rt};
use crate::model::{Field, Role};

/// `input` or `output`: the runtime's function that reads the type.
pub(crate) fn field(field: &Field, reader: &str) -> TokenStream {
    let Field { ident: _, name, title, doc: comment, ty, role } = field;
    let name = &name.text;
    let comment = doc(comment);
    let text = written(ty);
    // At the type, so that a type without its derive is reported there.
    let span = ty.span();
    let runtime = rt(span);
    let reader = proc_macro2::Ident::new(reader, span.resolved_at(Span::call_site()));
    let read = quote_spanned!(span=> #runtime::#reader::<#ty>());
    let title = title.as_ref().map(|title| quote!(.title(#title)));
    match role {
        Role::Config(config) => {
            let config = config::config(config);
            quote!(__rt::FieldDecl::config(#name, #comment, #text, #read, #config)#title)
        }
        Role::Port(wire) => {
            let wire = wire.as_ref().map(|wire| quote!(.wire(#wire)));
            quote!(__rt::FieldDecl::port(#name, #comment, #text, #read)#title #wire)
        }
        Role::Unclear => quote!(__rt::FieldDecl::port(#name, #comment, #text, #read)).into_token_stream(),
    }
}
