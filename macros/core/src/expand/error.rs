//! `#[derive(NodeError)]`: the declared kinds, and which one a value is.

use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};

use super::{Uses, doc, sealed};
use crate::model::{ErrorShape, Kind, NodeError};

/// The `impl` of a node's error.
pub(crate) fn node_error(model: &NodeError) -> TokenStream {
    let NodeError { krate, ident, shape, kinds } = model;
    let declared = kinds.iter().map(|Kind { ident: _, name, doc: comment, retryable }| {
        let (name, comment) = (&name.text, doc(comment));
        quote!(__rt::ErrorKindDecl { name: #name, doc: #comment, retryable: #retryable })
    });
    // At the type's name, where a missing `std::error::Error` is reported.
    let span = ident.span();
    let body = match shape {
        ErrorShape::Struct => quote_spanned!(span=> __rt::declared_error(self, 0)),
        // A value of an enum without variants does not exist, so nothing is said of it.
        ErrorShape::Enum if kinds.is_empty() => quote!(match self {}),
        ErrorShape::Enum => {
            let arms = kinds.iter().enumerate().map(|(at, Kind { ident, .. })| {
                let at = Literal::usize_unsuffixed(at);
                quote!(Self::#ident { .. } => #at)
            });
            let error = quote_spanned!(span=> __rt::declared_error(self, kind));
            quote! {
                let kind = match &self {
                    #(#arms,)*
                };
                #error
            }
        }
    };
    sealed(
        krate,
        Uses::Plain,
        quote! {
            #[automatically_derived]
            impl __rt::NodeError for #ident {
                const KINDS: &'static [__rt::ErrorKindDecl] = &[#(#declared,)*];
                fn into_error(self) -> __rt::Error {
                    #body
                }
            }
        },
    )
}
