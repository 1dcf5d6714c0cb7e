//! The front end of nodecast's macros as an ordinary library: parse → model → check → expand.

#![forbid(unsafe_code)]

use proc_macro2::TokenStream;

/// `#[nodeset(…)]`.
pub fn nodeset(_args: TokenStream, item: TokenStream) -> TokenStream {
    item
}

/// `#[node(…)]`.
pub fn node(_args: TokenStream, item: TokenStream) -> TokenStream {
    item
}

/// `#[derive(Outputs)]`.
pub fn outputs(_item: TokenStream) -> TokenStream {
    TokenStream::new()
}

/// `#[derive(NodeError)]`.
pub fn node_error(_item: TokenStream) -> TokenStream {
    TokenStream::new()
}
