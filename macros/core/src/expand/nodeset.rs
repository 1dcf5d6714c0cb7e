//! `#[nodeset]`: the table, its const checks, and the entry that a generated host finds.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Path;
use syn::spanned::Spanned;

use super::{Uses, doc, rt, sealed, source, words};
use crate::model::{Exclusivity, Listed, Name, Nodeset, Parallelism, SessionRule, Sessions};

/// The `impl` of a nodeset and what belongs to it.
pub(crate) fn nodeset(model: &Nodeset) -> TokenStream {
    let Nodeset { krate, ident, name, doc: comment, linked, nodes, resources, prompts, containers, .. } = model;
    let name = &name.text;
    let comment = doc(comment);
    let source = source();
    let version = quote!(__rt::env!("CARGO_PKG_VERSION"));
    let said = said(model);
    // At the node's path, so that a name that is no node of this nodeset is reported there.
    let nodes = list(
        ident,
        nodes,
        "check_node",
        |runtime, path| quote_spanned!(path.span()=> #runtime::row::<#ident, _, #path>()),
    );
    let resources = list(
        ident,
        resources,
        "check_resource",
        |runtime, path| quote_spanned!(path.span()=> #runtime::resource_row::<#ident, #path>()),
    );
    let prompts = list(
        ident,
        prompts,
        "check_prompt",
        |runtime, path| quote_spanned!(path.span()=> #runtime::prompt_row::<#ident, #path>()),
    );
    let containers = list(
        ident,
        containers,
        "check_container",
        |runtime, path| quote_spanned!(path.span()=> #runtime::container_row::<#path>()),
    );
    let mut checks = [nodes.checks, resources.checks, prompts.checks, containers.checks].concat();
    let mut rows = nodes.rows;
    let resources = self::rows("resources", &resources.rows);
    let prompts = self::rows("prompts", &prompts.rows);
    let containers = self::rows("containers", &containers.rows);
    let panel = panel(model, &mut checks);
    panel_tools(model, &mut rows, &mut checks);
    let hooks = hooks(ident, *linked);
    let entry = linked.then(|| {
        quote! {
            #[__rt::linkme::distributed_slice(__rt::NODESETS)]
            #[linkme(crate = __rt::linkme)]
            static NODESET: __rt::Linked = __rt::Linked::of::<#ident>();
        }
    });
    sealed(
        krate,
        // Which of its nodes are, their own macro knows.
        Uses::Deprecated,
        quote! {
            #[automatically_derived]
            impl __rt::Nodeset for #ident {
                const TABLE: &'static __rt::Table<Self> = &__rt::Table::new(
                    __rt::NodesetDecl::new(#name, #comment, #version, #source) #said,
                    &[#(#rows,)*],
                ) #resources #prompts #containers #panel;
                fn hooks() -> __rt::Hooks<Self> {
                    #hooks
                }
            }
            #(#checks)*
            #entry
        },
    )
}

/// One call for each word of the declaration; what was not said becomes none, so that the expansion stays small.
fn said(model: &Nodeset) -> TokenStream {
    let Nodeset {
        prefix,
        title,
        instructions,
        parallelism,
        exclusive,
        modern_rejected,
        sessions,
        as_string,
        show_errors,
        page_size,
        ttl_ms,
        cache_scope,
        icons,
        meta,
        coerce,
        ..
    } = model;
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
    let page_size = page_size.map(|entries| {
        let entries = Literal::u32_unsuffixed(entries);
        quote!(.page_size(#entries))
    });
    let cache = words::cache(*ttl_ms, *cache_scope);
    let (icons, meta) = (words::icons(icons), words::meta(meta));
    let coerce = coerce.then(|| quote!(.coerce()));
    quote! {
        #prefix #title #instructions #replicated #exclusive #modern_rejected #sessions
        #as_string #show_errors #coerce #page_size #cache #icons #meta
    }
}

/// The row of its panel: at the word, where a panel that is missing or out of place is reported.
fn panel(model: &Nodeset, checks: &mut Vec<TokenStream>) -> Option<TokenStream> {
    let (ident, span) = (&model.ident, model.panel?);
    let runtime = rt(span);
    let check = Ident::new("check_panel", span);
    let check = quote_spanned!(span=> __rt::#check(<#ident as __rt::Nodeset>::TABLE));
    checks.push(quote!(const _: () = #check;));
    Some(quote_spanned!(span=> .panel(#runtime::panel_row::<#ident, _>())))
}

/// The panel as nodes of the runtime's own, behind the listed ones.
fn panel_tools(model: &Nodeset, rows: &mut Vec<TokenStream>, checks: &mut Vec<TokenStream>) {
    let (ident, Some(span)) = (&model.ident, model.panel_tools) else { return };
    let runtime = rt(span);
    for tool in ["ReadPanel", "SetPanel", "ActOnPanel"] {
        let tool = Ident::new(tool, span.resolved_at(Span::call_site()));
        rows.push(quote_spanned!(span=> #runtime::row::<#ident, _, #runtime::#tool>()));
    }
    let check = Ident::new("check_panel_tools", span);
    let check = quote_spanned!(span=> __rt::#check(<#ident as __rt::Nodeset>::TABLE));
    checks.push(quote!(const _: () = #check;));
}

/// How it starts: at the nodeset's name, where a missing `Default` or `Lifecycle` is reported.
fn hooks(ident: &Ident, linked: bool) -> TokenStream {
    if !linked {
        return quote!(__rt::Hooks::mounted());
    }
    let hooks = quote_spanned!(ident.span()=> (&&&__rt::Probe::<Self>::new()).hooks());
    quote! {
        use __rt::{ViaDefault as _, ViaLifecycle as _, ViaNothing as _};
        #hooks
    }
}

/// The rows of one list, and their checks.
struct Rows {
    rows: Vec<TokenStream>,
    checks: Vec<TokenStream>,
}

fn list(ident: &Ident, listed: &[Listed], check: &str, row: impl Fn(TokenStream, &Path) -> TokenStream) -> Rows {
    let rows = listed.iter().map(|Listed { cfgs, path }| {
        let row = row(rt(path.span()), path);
        quote!(#cfgs #row)
    });
    // One const a row, so that one compile reports all that is wrong. The call is the user's by its span, so that the
    // message does not speak of a macro; the names in it are ours.
    let checks = listed.iter().enumerate().map(|(at, Listed { cfgs, path })| {
        let at = row_index(listed.get(..at).unwrap_or_default());
        let table = quote!(<#ident as __rt::Nodeset>::TABLE);
        let check = Ident::new(check, path.span());
        let check = quote_spanned!(path.span()=> __rt::#check(#table, #at));
        quote!(#cfgs const _: () = #check;)
    });
    Rows { rows: rows.collect(), checks: checks.collect() }
}

fn rows(word: &str, rows: &[TokenStream]) -> Option<TokenStream> {
    let word = Ident::new(word, Span::call_site());
    (!rows.is_empty()).then(|| quote!(.#word(&[#(#rows,)*])))
}

/// The place of the row behind these, some of which a build may leave out.
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
