//! From a checked model to tokens: a table and a thin shim. Expanding cannot fail and decides nothing.
//!
//! Every path goes through `__rt`, the one door to the runtime, which lives inside the `const _` block with all else.

mod config;
mod container;
mod error;
pub(crate) mod fallback;
mod field;
mod live;
mod node;
mod nodeset;
mod offer;
mod outputs;
mod words;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Path;

pub(crate) use container::container;
pub(crate) use error::node_error;
pub(crate) use live::{messages, view};
pub(crate) use node::node;
pub(crate) use nodeset::nodeset;
pub(crate) use offer::{prompt, resource};
pub(crate) use outputs::outputs;

use crate::model::{Deprecation, Doc, DocLine, Field};

/// The block around everything that is emitted for one item.
fn sealed(krate: &Path, uses: Uses, body: TokenStream) -> TokenStream {
    // The user hears of it where the user's own code uses it.
    let quiet = match uses {
        Uses::Plain => None,
        Uses::Deprecated => Some(quote!(#[allow(deprecated)])),
    };
    quote! {
        #quiet
        const _: () = {
            use #krate::__private as __rt;
            #body
        };
    }
}

/// Whether what is emitted may name something with `#[deprecated]`.
#[derive(Clone, Copy)]
enum Uses {
    Plain,
    Deprecated,
}

impl Uses {
    fn of(fields: &[Field], item: Option<&Deprecation>) -> Self {
        if item.is_some() || fields.iter().any(|field| field.deprecated.is_some()) {
            Self::Deprecated
        } else {
            Self::Plain
        }
    }
}

/// A path into the runtime that an error message points at `place` for.
fn rt(place: Span) -> TokenStream {
    // Located at the user's token, resolved as ours: lints of the user's crate leave it alone.
    quote_spanned!(place.resolved_at(Span::call_site())=> __rt)
}

fn doc(doc: &Doc) -> TokenStream {
    let mut parts: Vec<TokenStream> = Vec::new();
    let mut text = String::new();
    for (at, line) in doc.lines.iter().enumerate() {
        if at > 0 {
            text.push('\n');
        }
        match line {
            DocLine::Text(line) => text.push_str(line),
            DocLine::Expr(expr) => {
                if !text.is_empty() {
                    parts.push(quote!(#text));
                    text.clear();
                }
                parts.push(expr.clone());
            }
        }
    }
    if parts.is_empty() {
        return quote!(#text);
    }
    let rest = (!text.is_empty()).then_some(text);
    quote!(__rt::concat!(#(#parts,)* #rest))
}

fn deprecated(deprecated: Option<&Deprecation>) -> Option<TokenStream> {
    deprecated.map(|Deprecation { since, note }| quote!(.deprecated(__rt::Deprecation { since: #since, note: #note })))
}

fn option(value: Option<impl ToTokens>) -> TokenStream {
    value.map_or_else(|| quote!(__rt::None), |value| quote!(__rt::Some(#value)))
}

/// Where the item is declared; both macros answer for the outermost expansion, the user's own line.
fn source() -> TokenStream {
    quote!(__rt::Source { file: __rt::file!(), line: __rt::line!() })
}
