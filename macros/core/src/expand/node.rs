//! `#[node]`: the declaration, and the constructor from checked arguments.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::{doc, field, option, sealed, source};
use crate::check::types::Direction;
use crate::model::{Hint, Hints, Node};

/// The `impl` of a node.
pub(crate) fn node(model: &Node) -> TokenStream {
    let Node { krate, ident, name, title, doc: comment, hints, fields } = model;
    let name = &name.text;
    let title = option(title.as_ref());
    let comment = doc(comment);
    let hints = self::hints(*hints);
    let source = source();
    let descriptors = fields.iter().map(|field| field::field(field, Direction::Input));
    let (args, body) = if fields.is_empty() {
        (quote!(_), quote!(Self {}))
    } else {
        let takes = fields.iter().enumerate().map(|(at, field)| {
            let (ident, at) = (&field.ident, Literal::usize_unsuffixed(at));
            let read = field::read(field, Direction::Input);
            quote!(#ident: (#read.take)(args, #at)?)
        });
        (quote!(args), quote!(Self { #(#takes,)* }))
    };
    sealed(
        krate,
        quote! {
            #[automatically_derived]
            impl __rt::Arguments for #ident {
                const DECL: __rt::NodeDecl = __rt::NodeDecl {
                    name: #name,
                    title: #title,
                    doc: #comment,
                    hints: #hints,
                    fields: &[#(#descriptors,)*],
                    source: #source,
                };
                fn decode(#args: &mut __rt::Args) -> __rt::Result<Self, __rt::Invalid> {
                    __rt::Ok(#body)
                }
            }
        },
    )
}

fn hints(hints: Hints) -> TokenStream {
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
    if said.is_empty() {
        return quote!(__rt::Hints::NONE);
    }
    let rest = (said.len() < 4).then(|| quote!(..__rt::Hints::NONE));
    quote!(__rt::Hints { #(#said,)* #rest })
}
