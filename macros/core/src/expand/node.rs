//! `#[node]`: the declaration, and the constructor from checked arguments.

use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};

use super::{Uses, deprecated, doc, field, rt, sealed, source, words};
use crate::check::types::Direction;
use crate::model::{Batching, Field, Hint, Hints, Node, TaskMode};

/// The `impl` of a node.
pub(crate) fn node(model: &Node) -> TokenStream {
    let Node {
        krate,
        ident,
        name,
        title,
        doc: comment,
        hints,
        unstable,
        deprecated: since,
        raw_schema,
        batched,
        task,
        waits,
        fallback,
        icons,
        meta,
        fields,
    } = model;
    let name = &name.text;
    let title = title.as_ref().map(|title| quote!(.title(#title)));
    let comment = doc(comment);
    let hints = self::hints(*hints);
    let unstable = unstable.then(|| quote!(.unstable()));
    let deprecated = deprecated(since.as_ref());
    let raw_schema = raw_schema.as_ref().map(|file| {
        // At the file's name, where a file that is not there is reported.
        let runtime = rt(file.span());
        let text = quote_spanned!(file.span()=> #runtime::include_str!(#file));
        quote!(.raw_schema(#text))
    });
    let batched = batched.as_ref().map(self::batched);
    let task = task.map(|mode| match mode {
        TaskMode::Optional => quote!(.task(__rt::TaskMode::Optional)),
        TaskMode::Required => quote!(.task(__rt::TaskMode::Required)),
    });
    let waits = waits.then(|| quote!(.waits()));
    let fallback = fallback.then(|| quote!(.fallback()));
    let (icons, meta) = (words::icons(icons), words::meta(meta));
    let source = source();
    let descriptors = fields.iter().map(|field| field::field(field, Direction::Input));
    let descriptors = (!fields.is_empty()).then(|| quote!(.fields(&[#(#descriptors,)*])));
    let decode = decode(fields);
    let checks = checks(model);
    sealed(
        krate,
        Uses::of(fields, since.as_ref()),
        quote! {
            #[automatically_derived]
            impl __rt::Arguments for #ident {
                const DECL: __rt::NodeDecl = __rt::NodeDecl::new(#name, #comment, #source)
                    #title #hints #unstable #deprecated #raw_schema #batched #task #waits #fallback #icons #meta
                    #descriptors;
                #decode
            }
            #checks
        },
    )
}

/// The constructor from checked arguments.
pub(super) fn decode(fields: &[Field]) -> TokenStream {
    let (mut taken, mut sure) = (false, false);
    let fields = fields.iter().map(|field| {
        let Field { cfgs, ident, .. } = field;
        if field.is_label() {
            return quote!(#cfgs #ident: ());
        }
        (taken, sure) = (true, sure || cfgs.is_empty());
        let read = field::read(field, Direction::Input);
        quote!(#cfgs #ident: (#read.take)(args)?)
    });
    let fields = quote!(#(#fields,)*);
    let args = if taken { quote!(args) } else { quote!(_) };
    // A build may leave every field out.
    let quiet = (taken && !sure).then(|| quote!(#[allow(unused_variables)]));
    quote! {
        #quiet
        fn decode(#args: &mut __rt::Args) -> __rt::Result<Self, __rt::Invalid> {
            __rt::Ok(Self { #fields })
        }
    }
}

/// What only a `const` can see: the text of a file, and which fields a build leaves.
fn checks(model: &Node) -> TokenStream {
    let Node { ident, raw_schema, fields, .. } = model;
    let decl = quote!(<#ident as __rt::Arguments>::DECL);
    let raw_schema = raw_schema.as_ref().map(|file| {
        let check = quote_spanned!(file.span()=> __rt::check_raw_schema(&#decl));
        // A letter is a step, and a large file is no endless loop.
        quote!(#[allow(long_running_const_eval)] const _: () = #check;)
    });
    let names = field::checks(fields, &quote!(#decl.fields));
    quote!(#raw_schema #names)
}

fn batched(batching: &Batching) -> TokenStream {
    let Batching { max, wait_ms, concurrency } = batching;
    let said = [(quote!(max), max), (quote!(wait_ms), wait_ms), (quote!(concurrency), concurrency)];
    let said: Vec<TokenStream> = said
        .into_iter()
        .filter_map(|(word, value)| {
            let value = Literal::u32_unsuffixed((*value)?);
            Some(quote!(#word: #value))
        })
        .collect();
    let rest = (said.len() < 3).then(|| quote!(..__rt::Batching::DEFAULT));
    quote!(.batched(__rt::Batching { #(#said,)* #rest }))
}

fn hints(hints: Hints) -> Option<TokenStream> {
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
    let rest = (said.len() < 4).then(|| quote!(..__rt::Hints::NONE));
    (!said.is_empty()).then(|| quote!(.hints(__rt::Hints { #(#said,)* #rest })))
}
