//! `#[derive(Container)]`: the declaration of the container and its states, and their handles in order.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::config::literal;
use super::{Uses, doc, rt, sealed, source};
use crate::model::{self, Container, Initial, InitialValue, Lifetime, LifetimeRule, MaxSize, State};

/// The `impl` of a container.
pub(crate) fn container(model: &Container) -> TokenStream {
    let Container { krate, ident, id, label, doc: comment, states } = model;
    let (id, comment, source) = (&id.text, doc(comment), source());
    let label = label.as_ref().map(|label| quote!(.label(#label)));
    let rows = states.iter().map(row);
    let checks = states.iter().map(checks);
    let handles = states.iter().map(|state| {
        let (cfgs, ident, read) = (&state.cfgs, &state.ident, read(state));
        quote!(#cfgs #ident: (#read.open)(states))
    });
    // A state that clients alone read and write is in use too.
    let reads = states.iter().map(|State { cfgs, ident, .. }| quote!(#cfgs let _ = &container.#ident;));
    sealed(
        krate,
        Uses::Plain,
        quote! {
            #[automatically_derived]
            impl __rt::Container for #ident {
                const DECL: __rt::ContainerDecl = __rt::ContainerDecl::new(#id, #comment, #source) #label;
                const STATES: &'static [__rt::StateRow] = &[#(#rows,)*];
                fn open(states: &mut __rt::States) -> Self {
                    Self { #(#handles,)* }
                }
            }
            const _: &[__rt::StateRow] = <#ident as __rt::Container>::STATES;
            const _: fn(&#ident) = |container| {
                #(#reads)*
            };
            #(#checks)*
        },
    )
}

/// The runtime's view of a state's type; at the type, and the same tokens wherever it is asked for, so that a type that is
/// no state is reported there and once.
fn read(state: &State) -> TokenStream {
    let (ty, span) = (&state.ty, state.ty.span());
    let runtime = rt(span);
    let reader = Ident::new("state", span.resolved_at(Span::call_site()));
    quote_spanned!(span=> #runtime::#reader::<#ty>())
}

/// Only what was said becomes a call.
fn row(state: &State) -> TokenStream {
    let State { cfgs, ident: _, name, doc: comment, ty: _, lifetime, reset_on, initial, max_size, value_type } = state;
    let (name, comment, read) = (&name.text, doc(comment), read(state));
    let value_type = value_type.as_ref().map(|text| quote!(.value_type(#text)));
    let max_size = max_size.map(|MaxSize { entries, span: _ }| {
        let entries = Literal::u32_unsuffixed(entries);
        quote!(.max_size(#entries))
    });
    let initial = initial.as_ref().map(|Initial { said, span: _ }| match said {
        InitialValue::One(model::Literal { value, place: _ }) => {
            let value = literal(value);
            quote!(.initial(&[#value]))
        }
        InitialValue::Entries(entries) => {
            let entries = entries.iter().map(|entry| literal(&entry.value));
            quote!(.entries(&[#(#entries),*]))
        }
    });
    let lifetime = lifetime.map(|Lifetime { said, span: _ }| {
        let lifetime = match said {
            LifetimeRule::Forever => quote!(Forever),
            LifetimeRule::Step => quote!(Step),
            LifetimeRule::Episode => quote!(Episode),
            LifetimeRule::Run => quote!(Run),
            LifetimeRule::Custom => quote!(Custom),
        };
        quote!(.lifetime(__rt::Lifetime::#lifetime))
    });
    let reset_on = (!reset_on.is_empty()).then(|| quote!(.reset_on(&[#(#reset_on),*])));
    quote! {
        #cfgs __rt::StateRow {
            decl: __rt::StateDecl::new(#name, #comment, #read.about) #value_type #max_size #initial #lifetime #reset_on,
            normal: #read.normal,
        }
    }
}

/// What only a `const` can see, since the type says what a write does: at the words that not every reducer has a use for.
fn checks(state: &State) -> TokenStream {
    let (cfgs, name, read) = (&state.cfgs, &state.name.text, read(state));
    let check = |check: &str, span: Span| {
        let (runtime, check) = (rt(span), Ident::new(check, span.resolved_at(Span::call_site())));
        let check = quote_spanned!(span=> #runtime::#check(#name, &#read.about));
        quote!(#cfgs const _: () = #check;)
    };
    let max_size = state.max_size.map(|MaxSize { entries: _, span }| check("check_max_size", span));
    let initial = state.initial.as_ref().map(|Initial { said, span }| match said {
        InitialValue::One(_) => check("check_initial", *span),
        InitialValue::Entries(_) => check("check_entries", *span),
    });
    quote!(#max_size #initial)
}
