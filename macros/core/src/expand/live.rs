//! `#[derive(Message)]` and `#[derive(Expose)]`: the table, the constructor, and the entry that a printed exposure finds.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::{Uses, deprecated, doc, field, rt, sealed, source};
use crate::check::types::Direction;
use crate::model::{Handle, Message, Messages, Variant, View};

/// The `impl` of an enum of messages.
pub(crate) fn messages(model: &Messages) -> TokenStream {
    let Messages { krate, ident, variants } = model;
    let named = || variants.iter().filter_map(|variant| Some((variant, variant.message.as_ref()?)));
    let rows = named().map(|(Variant { cfgs, .. }, Message { name, doc: comment, deprecated: since, fields })| {
        let (name, comment, source) = (&name.text, doc(comment), source());
        let since = deprecated(since.as_ref());
        let descriptors = fields.iter().map(|field| field::field(field, Direction::Input));
        let descriptors = (!fields.is_empty()).then(|| quote!(.fields(&[#(#descriptors,)*])));
        quote!(#cfgs __rt::NodeDecl::new(#name, #comment, #source) #since #descriptors)
    });
    let arms = named().map(|(Variant { cfgs, ident, .. }, Message { name, fields, .. })| {
        let name = &name.text;
        let fields = fields.iter().map(|field| {
            let (cfgs, ident) = (&field.cfgs, &field.ident);
            if field.is_label() {
                return quote!(#cfgs #ident: ());
            }
            let read = field::read(field, Direction::Input);
            quote!(#cfgs #ident: (#read.take)(args)?)
        });
        quote!(#cfgs #name => __rt::Ok(Self::#ident { #(#fields,)* }))
    });
    let words = variants.iter().map(|Variant { cfgs, ident, message }| {
        let name = if let Some(Message { name, .. }) = message {
            let name = &name.text;
            quote!(__rt::Some(#name))
        } else {
            quote!(__rt::None)
        };
        quote!(#cfgs Self::#ident { .. } => #name)
    });
    let word = if variants.is_empty() { quote!(match *self {}) } else { quote!(match self { #(#words,)* }) };
    let uses = if named().any(|(_, message)| message.deprecated.is_some()) { Uses::Deprecated } else { Uses::Plain };
    let fields = named().map(|(_, message)| Uses::of(&message.fields, None));
    let uses = fields.fold(uses, |all, one| if matches!(one, Uses::Deprecated) { one } else { all });
    let checks = named().map(|(Variant { cfgs, .. }, message)| {
        let descriptors = message.fields.iter().map(|field| field::field(field, Direction::Input));
        let checks = field::checks(&message.fields, &quote!((&[#(#descriptors,)*])));
        (!checks.is_empty()).then(|| quote!(#cfgs const _: () = { #checks };))
    });
    let entry = entry(ident, "messages");
    sealed(
        krate,
        uses,
        quote! {
            #[automatically_derived]
            impl __rt::Message for #ident {
                const MESSAGES: &'static [__rt::NodeDecl] = &[#(#rows,)*];
                #[allow(unused_variables)]
                fn decode(message: &str, args: &mut __rt::Args) -> __rt::Result<Self, __rt::Error> {
                    match message {
                        #(#arms,)*
                        other => __rt::Err(__rt::no_message(other)),
                    }
                }
                fn name(&self) -> __rt::Option<&'static str> {
                    #word
                }
            }
            #(#checks)*
            #entry
        },
    )
}

/// The `impl` of a struct of handles.
pub(crate) fn view(model: &View) -> TokenStream {
    let View { krate, ident, handles } = model;
    let rows = handles.iter().map(|Handle { cfgs, name, node, .. }| {
        let (name, source) = (&name.text, source());
        let what = if node.is_some() { quote!(Node) } else { quote!(Value) };
        quote!(#cfgs __rt::ExposeDecl::new(#name, __rt::Exposes::#what, #source))
    });
    let handles = handles.iter().map(|Handle { cfgs, ident, name, ty, node }| {
        let name = &name.text;
        // At the type, where one that cannot be exposed is reported.
        let (runtime, span) = (rt(ty.span()), ty.span());
        let read = if node.is_some() {
            quote_spanned!(span=> #runtime::node::<#ty>)
        } else {
            quote_spanned!(span=> #runtime::value::<#ty>)
        };
        quote!(#cfgs #read(&self.#ident, #name))
    });
    let entry = entry(ident, "exposures");
    sealed(
        krate,
        Uses::Plain,
        quote! {
            #[automatically_derived]
            impl __rt::Expose for #ident {
                const EXPOSED: &'static [__rt::ExposeDecl] = &[#(#rows,)*];
                fn exposed(&self) -> __rt::List {
                    __rt::list([#(#handles,)*])
                }
            }
            #entry
        },
    )
}

/// What prints the table of a binary that holds it.
fn entry(ident: &Ident, kind: &str) -> TokenStream {
    let (name, print) = (ident.to_string(), Ident::new(kind, proc_macro2::Span::call_site()));
    quote! {
        #[__rt::linkme::distributed_slice(__rt::DOCUMENTS)]
        #[linkme(crate = __rt::linkme)]
        static DOCUMENT: __rt::LinkedDocument = __rt::LinkedDocument {
            projection: "exposure",
            kind: #kind,
            name: #name,
            document: __rt::#print::<#ident>,
        };
    }
}
