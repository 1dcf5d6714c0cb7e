//! `#[nodeset]`: the table, its const checks, and the entry that a generated host finds.

use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::{Uses, doc, rt, sealed, source};
use crate::model::{Exclusivity, Listed, Name, Nodeset, Parallelism, SessionRule, Sessions};

/// The `impl` of a nodeset and what belongs to it.
pub(crate) fn nodeset(model: &Nodeset) -> TokenStream {
    let Nodeset {
        krate,
        ident,
        name,
        prefix,
        title,
        doc: comment,
        instructions,
        parallelism,
        exclusive,
        modern_rejected,
        sessions,
        as_string,
        show_errors,
        nodes,
    } = model;
    let name = &name.text;
    let comment = doc(comment);
    let source = source();
    let version = quote!(__rt::env!("CARGO_PKG_VERSION"));
    // Only what was said becomes a call, so that the expansion stays small.
    let prefix = prefix.as_ref().map(|Name { text, span: _ }| quote!(.prefix(#text)));
    let title = title.as_ref().map(|title| quote!(.title(#title)));
    let instructions = instructions.as_ref().map(|instructions| quote!(.instructions(#instructions)));
    let replicated = match parallelism {
        Parallelism::Shared => None,
        Parallelism::Replicated => Some(quote!(.replicated())),
    };
    let exclusive = exclusive.map(|exclusive| match exclusive {
        Exclusivity::Mcp => quote!(.exclusive(__rt::Exclusivity::Mcp)),
        Exclusivity::Open => quote!(.exclusive(__rt::Exclusivity::Open)),
        Exclusivity::All => quote!(.exclusive(__rt::Exclusivity::All)),
    });
    let modern_rejected = modern_rejected.map(|_| quote!(.modern_rejected()));
    let sessions = sessions.and_then(|Sessions { said, span: _ }| match said {
        SessionRule::None => None,
        SessionRule::Kept => Some(quote!(.sessions(__rt::Sessions::Kept))),
        SessionRule::Required => Some(quote!(.sessions(__rt::Sessions::Required))),
    });
    let as_string = as_string.then(|| quote!(.as_string()));
    let show_errors = show_errors.then(|| quote!(.show_errors()));
    // At the node's path, so that a name that is no node of this nodeset is reported there.
    let rows = nodes.iter().map(|Listed { cfgs, path }| {
        let span = path.span();
        let runtime = rt(span);
        let row = quote_spanned!(span=> #runtime::row::<#ident, _, #path>());
        quote!(#cfgs #row)
    });
    // One const a node, so that one compile reports all that is wrong. The call is the user's by its span, so that the
    // message does not speak of a macro; the names in it are ours.
    let checks = nodes.iter().enumerate().map(|(at, Listed { cfgs, path })| {
        let at = row_index(nodes.get(..at).unwrap_or_default());
        let table = quote!(<#ident as __rt::Nodeset>::TABLE);
        let check = quote_spanned!(path.span()=> __rt::check_node(#table, #at));
        quote!(#cfgs const _: () = #check;)
    });
    // At the nodeset's name, where a missing `Default` or `Lifecycle` is reported.
    let hooks = quote_spanned!(ident.span()=> (&&&__rt::Probe::<Self>::new()).hooks());
    sealed(
        krate,
        // Which of its nodes are, their own macro knows.
        Uses::Deprecated,
        quote! {
            #[automatically_derived]
            impl __rt::Nodeset for #ident {
                const TABLE: &'static __rt::Table<Self> = &__rt::Table {
                    decl: __rt::NodesetDecl::new(#name, #comment, #version, #source)
                        #prefix #title #instructions #replicated #exclusive #modern_rejected #sessions
                        #as_string #show_errors,
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

/// The row of a node behind these, some of which a build may leave out.
fn row_index(before: &[Listed]) -> TokenStream {
    let (sure, unsure): (Vec<&Listed>, Vec<&Listed>) = before.iter().partition(|listed| listed.cfgs.is_empty());
    let sure = Literal::usize_unsuffixed(sure.len());
    if unsure.is_empty() {
        return quote!(#sure);
    }
    let marks = unsure.iter().map(|listed| {
        let cfgs = &listed.cfgs;
        quote!(#cfgs ())
    });
    quote!(#sure + __rt::count(&[#(#marks),*]))
}
