//! What stands in place of an expansion after an error: an empty table, so that one mistake gives one error.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{GenericParam, Ident, TypeParamBound, parse_quote};

use super::{Uses, sealed, source};
use crate::model::Target;

/// For `#[node]`.
pub(crate) fn node(target: &Target) -> TokenStream {
    stub(target, |ident| {
        let (name, source) = (ident.to_string(), source());
        (
            quote!(Arguments),
            quote! {
                const DECL: __rt::NodeDecl = __rt::NodeDecl::new(#name, "", #source);
                fn decode(_: &mut __rt::Args) -> __rt::Result<Self, __rt::Invalid> {
                    loop {}
                }
            },
        )
    })
}

/// For `#[nodeset]`.
pub(crate) fn nodeset(target: &Target) -> TokenStream {
    stub(target, |ident| {
        let (name, source) = (ident.to_string(), source());
        (
            quote!(Nodeset),
            quote! {
                const TABLE: &'static __rt::Table<Self> =
                    &__rt::Table::new(__rt::NodesetDecl::new(#name, "", "", #source), &[]);
                fn hooks() -> __rt::Hooks<Self> {
                    loop {}
                }
            },
        )
    })
}

/// For `#[resource]`.
pub(crate) fn resource(target: &Target) -> TokenStream {
    let variables = stub(target, |ident| {
        let (name, source) = (ident.to_string(), source());
        (
            quote!(Variables),
            quote! {
                const DECL: __rt::ResourceDecl = __rt::ResourceDecl::new(#name, "", "", #source);
                fn decode(_: &mut __rt::Args) -> __rt::Result<Self, __rt::Invalid> {
                    loop {}
                }
            },
        )
    });
    let completes = completes(target);
    quote!(#variables #completes)
}

/// For `#[prompt]`.
pub(crate) fn prompt(target: &Target) -> TokenStream {
    let arguments = stub(target, |ident| {
        let (name, source) = (ident.to_string(), source());
        (
            quote!(PromptArguments),
            quote! {
                const DECL: __rt::PromptDecl = __rt::PromptDecl::new(#name, "", #source);
                fn decode(_: &mut __rt::Args) -> __rt::Result<Self, __rt::Invalid> {
                    loop {}
                }
            },
        )
    });
    let completes = completes(target);
    quote!(#arguments #completes)
}

/// Without completion; a type with parameters is listed nowhere, so it needs none.
fn completes(target: &Target) -> Option<TokenStream> {
    let (ident, generics) = target.subject.as_ref()?;
    let body = quote! {
        #[automatically_derived]
        impl<__Set: 'static> __rt::Completes<__Set> for #ident {}
    };
    generics.params.is_empty().then(|| sealed(&target.krate, Uses::Deprecated, body))
}

/// For `#[derive(Outputs)]`.
pub(crate) fn outputs(target: &Target) -> TokenStream {
    stub(target, |_| {
        (
            quote!(Outputs),
            quote! {
                const PORTS: &'static [__rt::FieldDecl] = &[];
                fn encode(self, _: &mut __rt::Reply) -> __rt::Result<(), __rt::Error> {
                    loop {}
                }
            },
        )
    })
}

/// For `#[derive(Container)]`.
pub(crate) fn container(target: &Target) -> TokenStream {
    stub(target, |ident| {
        let (name, source) = (ident.to_string(), source());
        (
            quote!(Container),
            quote! {
                const DECL: __rt::ContainerDecl = __rt::ContainerDecl::new(#name, "", #source);
                const STATES: &'static [__rt::StateRow] = &[];
                fn open(_: &mut __rt::States) -> Self {
                    loop {}
                }
            },
        )
    })
}

/// For `#[derive(NodeError)]`.
pub(crate) fn node_error(target: &Target) -> TokenStream {
    stub(target, |_| {
        (
            quote!(NodeError),
            quote! {
                const KINDS: &'static [__rt::ErrorKindDecl] = &[];
                fn into_error(self) -> __rt::Error {
                    loop {}
                }
            },
        )
    })
}

/// For `#[derive(Message)]`.
pub(crate) fn messages(target: &Target) -> TokenStream {
    stub(target, |_| {
        (
            quote!(Message),
            quote! {
                const MESSAGES: &'static [__rt::NodeDecl] = &[];
                fn decode(_: &str, _: &mut __rt::Args) -> __rt::Result<Self, __rt::Error> {
                    loop {}
                }
                fn name(&self) -> __rt::Option<&'static str> {
                    loop {}
                }
            },
        )
    })
}

/// For `#[derive(Expose)]`.
pub(crate) fn view(target: &Target) -> TokenStream {
    stub(target, |_| {
        (
            quote!(Expose),
            quote! {
                const EXPOSED: &'static [__rt::ExposeDecl] = &[];
                fn exposed(&self) -> __rt::List {
                    loop {}
                }
            },
        )
    })
}

// The bodies loop: the crate does not compile, so that they never run.
fn stub(target: &Target, body: impl Fn(&Ident) -> (TokenStream, TokenStream)) -> TokenStream {
    let Some((ident, generics)) = &target.subject else { return TokenStream::new() };
    let mut generics = generics.clone();
    // The traits ask for `'static`, so a type with a lifetime has no stub for all its lives.
    if generics.lifetimes().next().is_some() {
        return TokenStream::new();
    }
    for param in &mut generics.params {
        if let GenericParam::Type(param) = param {
            param.default = None;
            param.bounds.extend::<[TypeParamBound; 3]>([
                parse_quote!(__rt::Send),
                parse_quote!(__rt::Sync),
                parse_quote!('static),
            ]);
        }
    }
    let (header, arguments, clause) = generics.split_for_impl();
    let (name, body) = body(ident);
    sealed(
        &target.krate,
        Uses::Deprecated,
        quote! {
            #[automatically_derived]
            impl #header __rt::#name for #ident #arguments #clause {
                #body
            }
        },
    )
}
