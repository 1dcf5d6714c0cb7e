//! `#[resource]` and `#[prompt]`: the declaration, the constructor from checked arguments, and how they are completed.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::node::decode;
use super::{Uses, deprecated, doc, field, rt, sealed, source, words};
use crate::check::types::Direction;
use crate::model::{Complete, Field, Prompt, Resource};

/// The `impl`s of a resource.
pub(crate) fn resource(model: &Resource) -> TokenStream {
    let Resource {
        krate,
        ident,
        name,
        uri,
        title,
        doc: comment,
        mime,
        ttl_ms,
        cache_scope,
        icons,
        meta,
        deprecated: since,
        fields,
    } = model;
    let (name, comment, source) = (&name.text, doc(comment), source());
    let title = title.as_ref().map(|title| quote!(.title(#title)));
    let mime = mime.as_ref().map(|mime| quote!(.mime(#mime)));
    let cache = words::cache(*ttl_ms, *cache_scope);
    let (icons, meta, deprecated) = (words::icons(icons), words::meta(meta), deprecated(since.as_ref()));
    let (descriptors, decode, completes) = (descriptors(fields), decode(fields), completes(ident, fields));
    sealed(
        krate,
        Uses::of(fields, since.as_ref()),
        quote! {
            #[automatically_derived]
            impl __rt::Variables for #ident {
                const DECL: __rt::ResourceDecl = __rt::ResourceDecl::new(#name, #uri, #comment, #source)
                    #title #mime #cache #icons #meta #deprecated #descriptors;
                #decode
            }
            #completes
        },
    )
}

/// The `impl`s of a prompt.
pub(crate) fn prompt(model: &Prompt) -> TokenStream {
    let Prompt { krate, ident, name, title, doc: comment, icons, meta, deprecated: since, fields } = model;
    let (name, comment, source) = (&name.text, doc(comment), source());
    let title = title.as_ref().map(|title| quote!(.title(#title)));
    let (icons, meta, deprecated) = (words::icons(icons), words::meta(meta), deprecated(since.as_ref()));
    let (descriptors, decode, completes) = (descriptors(fields), decode(fields), completes(ident, fields));
    let checks = field::checks(fields, &quote!(<#ident as __rt::PromptArguments>::DECL.fields));
    sealed(
        krate,
        Uses::of(fields, since.as_ref()),
        quote! {
            #[automatically_derived]
            impl __rt::PromptArguments for #ident {
                const DECL: __rt::PromptDecl = __rt::PromptDecl::new(#name, #comment, #source)
                    #title #icons #meta #deprecated #descriptors;
                #decode
            }
            #completes
            #checks
        },
    )
}

fn descriptors(fields: &[Field]) -> Option<TokenStream> {
    let descriptors = fields.iter().map(|field| field::field(field, Direction::Input));
    (!fields.is_empty()).then(|| quote!(.fields(&[#(#descriptors,)*])))
}

/// Generic over the nodeset, since a resource may belong to several: each has to be one that the completing types know.
fn completes(ident: &Ident, fields: &[Field]) -> TokenStream {
    let completed: Vec<&Complete> = fields.iter().filter_map(|field| field.complete.as_ref()).collect();
    let bounds = fields.iter().filter_map(|field| {
        let (cfgs, path) = (&field.cfgs, field.complete.as_ref()?.by.as_ref()?);
        let runtime = rt(path.span());
        // A clause cannot have a `#[cfg]`, so a type that one build lacks is left to the compiler.
        cfgs.is_empty().then(|| quote_spanned!(path.span()=> #path: #runtime::Complete<__Set>))
    });
    let by = fields.iter().map(|field| {
        let cfgs = &field.cfgs;
        match &field.complete {
            None => quote!(#cfgs __rt::Completer::None),
            Some(Complete { word: _, by: None }) => quote!(#cfgs __rt::Completer::Known),
            Some(Complete { word: _, by: Some(path) }) => quote!(#cfgs __rt::completer::<__Set, #path>()),
        }
    });
    let by = (!completed.is_empty()).then(|| quote!(const BY: &'static [__rt::Completer<__Set>] = &[#(#by,)*];));
    quote! {
        #[automatically_derived]
        impl<__Set: __rt::Sync + 'static> __rt::Completes<__Set> for #ident where #(#bounds,)* {
            #by
        }
    }
}
