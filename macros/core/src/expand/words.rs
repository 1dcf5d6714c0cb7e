//! Icons, `_meta` and cache hints; only what was said becomes a call.

use proc_macro2::{Literal as Token, TokenStream};
use quote::quote;

use super::config::literal;
use crate::model::{CacheScope, Icon, IconTheme, MetaEntry};

pub(crate) fn icons(icons: &[Icon]) -> Option<TokenStream> {
    let icon = |Icon { src, mime, size, theme }: &Icon| {
        let mime = mime.as_ref().map(|mime| quote!(.mime(#mime)));
        let size = size.as_ref().map(|size| quote!(.size(#size)));
        let theme = theme.map(|theme| match theme {
            IconTheme::Light => quote!(.theme(__rt::IconTheme::Light)),
            IconTheme::Dark => quote!(.theme(__rt::IconTheme::Dark)),
        });
        quote!(__rt::IconDecl::new(#src) #mime #size #theme)
    };
    let list = icons.iter().map(icon);
    (!icons.is_empty()).then(|| quote!(.icons(&[#(#list),*])))
}

pub(crate) fn meta(members: &[MetaEntry]) -> Option<TokenStream> {
    let list = members.iter().map(|MetaEntry { key, value }| {
        let value = literal(&value.value);
        quote!((#key, #value))
    });
    (!members.is_empty()).then(|| quote!(.meta(&[#(#list),*])))
}

pub(crate) fn cache(ttl_ms: Option<u32>, scope: Option<CacheScope>) -> TokenStream {
    let ttl_ms = ttl_ms.map(|ttl_ms| {
        let ttl_ms = Token::u32_unsuffixed(ttl_ms);
        quote!(.ttl_ms(#ttl_ms))
    });
    let scope = scope.map(|scope| match scope {
        CacheScope::Public => quote!(.cache_scope(__rt::CacheScope::Public)),
        CacheScope::Private => quote!(.cache_scope(__rt::CacheScope::Private)),
    });
    quote!(#ttl_ms #scope)
}
