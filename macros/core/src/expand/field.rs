//! The descriptor of a field.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::{config, deprecated, doc, rt};
use crate::check::types::Direction;
use crate::model::{Display, DisplayWidget, Field, Name, Port, Role};
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

/// The descriptor of a field; only what was said becomes a call.
pub(crate) fn field(field: &Field, direction: Direction) -> TokenStream {
    let Field {
        cfgs,
        ident: _,
        name,
        title,
        doc: comment,
        deprecated: since,
        ty,
        as_string,
        header,
        display,
        complete: _,
        role,
    } = field;
    let name = &name.text;
    let comment = doc(comment);
    let text = written(ty);
    let read = read(field, direction);
    let title = title.as_ref().map(|title| quote!(.title(#title)));
    let deprecated = deprecated(since.as_ref());
    let as_string = as_string.map(|_| quote!(.as_string()));
    let header = header.as_ref().map(|header| quote!(.header(#header)));
    let display = display.as_ref().map(self::display);
    let new = match role {
        Role::Config(config) => {
            let config = config::config(config);
            quote!(__rt::FieldDecl::config(#name, #comment, #text, #read.decl, #config))
        }
        Role::Port(Port { wire, nan, full_size }) => {
            let wire = wire.as_ref().map(|wire| quote!(.wire(#wire)));
            let nan = nan.map(|_| quote!(.nan_as_null()));
            let full_size = full_size.map(|_| quote!(.full_size()));
            quote!(__rt::FieldDecl::port(#name, #comment, #text, #read.decl) #wire #nan #full_size)
        }
        Role::Unclear => quote!(__rt::FieldDecl::port(#name, #comment, #text, #read.decl)),
    };
    quote!(#cfgs #new #title #as_string #header #deprecated #display)
}

/// The checks of names that may meet or not, depending on what the build leaves out: only a `const` sees which are left.
pub(crate) fn checks(fields: &[Field], descriptors: &TokenStream) -> TokenStream {
    let meets = |(at, field): &(usize, &Field)| fields.iter().take(*at).any(|other| other.name.text == field.name.text);
    let checks = fields.iter().enumerate().filter(meets).map(|(_, field)| {
        let (cfgs, Name { text, span }) = (&field.cfgs, &field.name);
        let check = quote_spanned!(*span=> __rt::check_field_name(#descriptors, #text));
        quote!(#cfgs const _: () = #check;)
    });
    quote!(#(#checks)*)
}

fn display(display: &Display) -> TokenStream {
    let Display { widget, word: _, label, max_visible, accumulate } = display;
    let widget = match widget {
        DisplayWidget::ImageViewer => quote!(ImageViewer),
        DisplayWidget::LogList => quote!(LogList),
        DisplayWidget::MetricTable => quote!(MetricTable),
    };
    let label = label.as_ref().map(|label| quote!(.label(#label)));
    let max_visible = max_visible.map(|count| {
        let count = Literal::u32_unsuffixed(count);
        quote!(.max_visible(#count))
    });
    let accumulate = accumulate.then(|| quote!(.accumulate()));
    quote!(.display(__rt::DisplayDecl::new(__rt::DisplayWidget::#widget) #label #max_visible #accumulate))
}
