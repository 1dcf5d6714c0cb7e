//! The descriptor of a field.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::{config, doc, rt};
use crate::check::types::Direction;
use crate::model::{Field, Role};
use crate::written::written;

/// The runtime's view of a field's type, for an input or an output.
///
/// At the type, so that a type without its derives is reported there; the same tokens wherever it is asked for, so that
/// the compiler reports it once.
pub(crate) fn read(field: &Field, direction: Direction) -> TokenStream {
    let (ty, span) = (&field.ty, field.ty.span());
    let runtime = rt(span);
    let reader = match direction {
        Direction::Input => "input_type",
        Direction::Output => "output_type",
    };
    let reader = Ident::new(reader, span.resolved_at(Span::call_site()));
    quote_spanned!(span=> #runtime::#reader::<#ty>())
}

/// The descriptor of a field.
pub(crate) fn field(field: &Field, direction: Direction) -> TokenStream {
    let Field { ident: _, name, title, doc: comment, ty, role } = field;
    let name = &name.text;
    let comment = doc(comment);
    let text = written(ty);
    let read = read(field, direction);
    let title = title.as_ref().map(|title| quote!(.title(#title)));
    match role {
        Role::Config(config) => {
            let config = config::config(config);
            quote!(__rt::FieldDecl::config(#name, #comment, #text, #read.decl, #config)#title)
        }
        Role::Port(wire) => {
            let wire = wire.as_ref().map(|wire| quote!(.wire(#wire)));
            quote!(__rt::FieldDecl::port(#name, #comment, #text, #read.decl)#title #wire)
        }
        Role::Unclear => quote!(__rt::FieldDecl::port(#name, #comment, #text, #read.decl)),
    }
}
