//! `#[node]`: the declaration, and the constructor from checked arguments.

use proc_macro2::TokenStream;
use quote::quote;

use super::{doc, field, sealed, source};
use crate::check::types::Direction;
use crate::model::{Hint, Hints, Node};

/// The `impl` of a node.
pub(crate) fn node(model: &Node) -> TokenStream {
    let Node { krate, ident, name, title, doc: comment, hints, fields } = model;
    let name = &name.text;
    let title = title.as_ref().map(|title| quote!(.title(#title)));
    let comment = doc(comment);
    let hints = self::hints(*hints);
    let source = source();
    let descriptors = fields.iter().map(|field| field::field(field, Direction::Input));
    let descriptors = (!fields.is_empty()).then(|| quote!(.fields(&[#(#descriptors,)*])));
    let (args, body) = if fields.is_empty() {
        (quote!(_), quote!(Self {}))
    } else {
        let takes = fields.iter().map(|field| {
            let ident = &field.ident;
            let read = field::read(field, Direction::Input);
            quote!(#ident: (#read.take)(args)?)
        });
        (quote!(args), quote!(Self { #(#takes,)* }))
    };
    sealed(
        krate,
        quote! {
            #[automatically_derived]
            impl __rt::Arguments for #ident {
                const DECL: __rt::NodeDecl =
                    __rt::NodeDecl::new(#name, #comment, #source) #title #hints #descriptors;
                fn decode(#args: &mut __rt::Args) -> __rt::Result<Self, __rt::Invalid> {
                    __rt::Ok(#body)
                }
            }
        },
    )
}

fn hints(hints: Hints) -> Option<TokenStream> {
    let Hints { read_only, destructive, idempotent, open_world } = hints;
    let said = [
        (quote!(read_only), read_only),
        (quote!(destructive), destructive),
        (quote!(idempotent), idempotent),
        (quote!(open_world), open_world),
    ];
    let said: Vec<TokenStream> = said
        .into_iter()
        .filter_map(|(word, hint)| hint.map(|Hint { said, span: _ }| quote!(#word: __rt::Some(#said))))
        .collect();
    let rest = (said.len() < 4).then(|| quote!(..__rt::Hints::NONE));
    (!said.is_empty()).then(|| quote!(.hints(__rt::Hints { #(#said,)* #rest })))
}
