//! The front end of nodecast's macros as an ordinary library: parse → model → check → expand.
//!
//! Parsing makes a [`model`], checking reads it, expanding cannot fail. All errors of a compile are collected, each at
//! the narrowest token, and every exit emits the user's item. Knows nothing of the environment that it runs in: the
//! same tokens give the same expansion, byte for byte.

#![forbid(unsafe_code)]

mod attr;
mod check;
mod errors;
mod expand;
#[cfg(any(feature = "file", test))]
mod file;
mod foreign;
pub mod model;
mod parse;
mod symbol;
#[cfg(test)]
mod tests;
mod written;

use proc_macro2::TokenStream;
use quote::quote;

use errors::Errors;
use expand::fallback;
#[cfg(any(feature = "file", test))]
pub use file::{expand_file, mistakes};
use model::Target;

/// `#[nodeset(…)]`.
pub fn nodeset(args: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let (target, model) = parse::nodeset(&mut errors, args, item);
    if let Some(model) = &model {
        check::nodeset(&mut errors, model);
    }
    finish(errors, &target, model.as_ref(), expand::nodeset, fallback::nodeset)
}

/// `#[node(…)]`.
pub fn node(args: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let (target, model) = parse::node(&mut errors, args, item);
    if let Some(model) = &model {
        check::node(&mut errors, model);
    }
    finish(errors, &target, model.as_ref(), expand::node, fallback::node)
}

/// `#[resource(…)]`.
pub fn resource(args: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let (target, model) = parse::resource(&mut errors, args, item);
    if let Some(model) = &model {
        check::resource(&mut errors, model);
    }
    finish(errors, &target, model.as_ref(), expand::resource, fallback::resource)
}

/// `#[prompt(…)]`.
pub fn prompt(args: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let (target, model) = parse::prompt(&mut errors, args, item);
    if let Some(model) = &model {
        check::prompt(&mut errors, model);
    }
    finish(errors, &target, model.as_ref(), expand::prompt, fallback::prompt)
}

/// `#[derive(Outputs)]`.
pub fn outputs(item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let (target, model) = parse::outputs(&mut errors, item);
    if let Some(model) = &model {
        check::outputs(&mut errors, model);
    }
    finish(errors, &target, model.as_ref(), expand::outputs, fallback::outputs)
}

/// `#[derive(Container)]`.
pub fn container(item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let (target, model) = parse::container(&mut errors, item);
    if let Some(model) = &model {
        check::container(&mut errors, model);
    }
    finish(errors, &target, model.as_ref(), expand::container, fallback::container)
}

/// `#[derive(NodeError)]`.
pub fn node_error(item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let (target, model) = parse::node_error(&mut errors, item);
    if let Some(model) = &model {
        check::node_error(&mut errors, model);
    }
    finish(errors, &target, model.as_ref(), expand::node_error, fallback::node_error)
}

/// `#[derive(Message)]`.
pub fn messages(item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let (target, model) = parse::messages(&mut errors, item);
    if let Some(model) = &model {
        check::messages(&mut errors, model);
    }
    finish(errors, &target, model.as_ref(), expand::messages, fallback::messages)
}

/// `#[derive(Expose)]`.
pub fn view(item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let (target, model) = parse::view(&mut errors, item);
    if let Some(model) = &model {
        check::view(&mut errors, model);
    }
    finish(errors, &target, model.as_ref(), expand::view, fallback::view)
}

fn finish<M>(
    errors: Errors,
    target: &Target,
    model: Option<&M>,
    expand: fn(&M) -> TokenStream,
    fallback: fn(&Target) -> TokenStream,
) -> TokenStream {
    let item = &target.item;
    match (model, errors.finish()) {
        (Some(model), None) => {
            let expansion = expand(model);
            quote!(#item #expansion)
        }
        (_, error) => {
            let (stub, error) = (fallback(target), error.map(syn::Error::into_compile_error));
            quote!(#item #stub #error)
        }
    }
}
