//! `#[nodeset]`: the table, its const checks, and the entry that a generated host finds.

use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::{doc, option, rt, sealed, source};
use crate::model::{Exclusivity, Nodeset, Parallelism};

/// The `impl` of a nodeset and what belongs to it.
pub(crate) fn nodeset(model: &Nodeset) -> TokenStream {
    let Nodeset { krate, ident, name, prefix, title, doc: comment, instructions, parallelism, exclusive, nodes } =
        model;
    let name = &name.text;
    let prefix = option(prefix.as_ref().map(|prefix| &prefix.text));
    let title = option(title.as_ref());
    let comment = doc(comment);
    let instructions = option(instructions.as_ref());
    let parallelism = match parallelism {
        Parallelism::Shared => quote!(__rt::Parallelism::Shared),
        Parallelism::Replicated => quote!(__rt::Parallelism::Replicated),
    };
    let exclusive = option(exclusive.map(|exclusive| match exclusive {
        Exclusivity::Mcp => quote!(__rt::Exclusivity::Mcp),
        Exclusivity::Open => quote!(__rt::Exclusivity::Open),
    }));
    let source = source();
    // At the node's path, so that a name that is no node of this nodeset is reported there.
    let rows = nodes.iter().map(|node| {
        let span = node.span();
        let runtime = rt(span);
        quote_spanned!(span=> #runtime::row::<#ident, _, #node>())
    });
    // One const a node, so that one compile reports all that is wrong. The call is the user's by its span, so that the
    // message does not speak of a macro; the names in it are ours.
    let checks = nodes.iter().enumerate().map(|(at, node)| {
        let at = Literal::usize_unsuffixed(at);
        let table = quote!(<#ident as __rt::Nodeset>::TABLE);
        let check = quote_spanned!(node.span()=> __rt::check_node(#table, #at));
        quote!(const _: () = #check;)
    });
    // At the nodeset's name, where a missing `Default` or `Lifecycle` is reported.
    let hooks = quote_spanned!(ident.span()=> (&&&__rt::Probe::<Self>::new()).hooks());
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
                    use __rt::{ViaDefault as _, ViaLifecycle as _, ViaNothing as _};
                    #hooks
                }
            }
            #(#checks)*
            #[__rt::linkme::distributed_slice(__rt::NODESETS)]
            #[linkme(crate = __rt::linkme)]
            static NODESET: __rt::Linked = __rt::Linked::of::<#ident>();
        },
    )
}
