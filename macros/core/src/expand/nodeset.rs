//! `#[nodeset]`: the table, its const checks, and the entry that a generated host finds.

use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::{doc, option_text, rt, sealed, source};
use crate::model::{Nodeset, Parallelism};

/// The `impl` of a nodeset and what belongs to it.
pub(crate) fn nodeset(model: &Nodeset) -> TokenStream {
    let Nodeset { krate, ident, name, prefix, title, doc: comment, instructions, parallelism, exclusive, nodes } =
        model;
    let name = &name.text;
    let prefix = match prefix {
        Some(prefix) => {
            let prefix = &prefix.text;
            quote!(__rt::Some(#prefix))
        }
        None => quote!(__rt::None),
    };
    let title = option_text(title.as_ref());
    let comment = doc(comment);
    let instructions = option_text(instructions.as_ref());
    let parallelism = match parallelism {
        Parallelism::Shared => quote!(__rt::Parallelism::Shared),
        Parallelism::Replicated => quote!(__rt::Parallelism::Replicated),
    };
    let exclusive = match exclusive {
        Some(true) => quote!(__rt::Some(__rt::Exclusivity::Mcp)),
        Some(false) => quote!(__rt::Some(__rt::Exclusivity::Open)),
        None => quote!(__rt::None),
    };
    let source = source();
    // At the node's path, so that a name that is no node of this nodeset is reported there.
    let rows = nodes.iter().map(|node| {
        let span = node.span();
        let runtime = rt(span);
        quote_spanned!(span=> #runtime::row::<#ident, _, #node>())
    });
    // One const a node, so that one compile reports all that is wrong.
    let checks = nodes.iter().enumerate().map(|(at, node)| {
        let (span, at) = (node.span(), Literal::usize_unsuffixed(at));
        let runtime = rt(span);
        quote_spanned!(span=> const _: () = #runtime::check_node(<#ident as #runtime::Nodeset>::TABLE, #at);)
    });
    sealed(
        krate,
        quote! {
            #[automatically_derived]
            impl __rt::Nodeset for #ident {
                const TABLE: &'static __rt::Table<Self> = &__rt::Table {
                    decl: __rt::NodesetDecl {
                        name: #name,
                        prefix: #prefix,
                        title: #title,
                        doc: #comment,
                        instructions: #instructions,
                        version: __rt::env!("CARGO_PKG_VERSION"),
                        parallelism: #parallelism,
                        exclusive: #exclusive,
                        source: #source,
                    },
                    rows: &[#(#rows,)*],
                };
                fn hooks() -> __rt::Hooks<Self> {
                    use __rt::{ViaDefault as _, ViaLifecycle as _};
                    (&__rt::Probe::<Self>::new()).hooks()
                }
            }
            #(#checks)*
            #[__rt::linkme::distributed_slice(__rt::NODESETS)]
            #[linkme(crate = __rt::linkme)]
            static NODESET: __rt::Linked = __rt::Linked::of::<#ident>();
        },
    )
}
