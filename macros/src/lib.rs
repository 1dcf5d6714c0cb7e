//! The macros of nodecast: a shim over `nodecast-macros-core`, without logic. Use them through the `nodecast` crate.

use proc_macro::TokenStream;

/// Documented at its re-export in `nodecast`.
#[proc_macro_attribute]
pub fn nodeset(args: TokenStream, item: TokenStream) -> TokenStream {
    nodecast_macros_core::nodeset(args.into(), item.into()).into()
}

/// Documented at its re-export in `nodecast`.
#[proc_macro_attribute]
pub fn node(args: TokenStream, item: TokenStream) -> TokenStream {
    nodecast_macros_core::node(args.into(), item.into()).into()
}

/// Documented at its re-export in `nodecast`.
#[proc_macro_attribute]
pub fn resource(args: TokenStream, item: TokenStream) -> TokenStream {
    nodecast_macros_core::resource(args.into(), item.into()).into()
}

/// Documented at its re-export in `nodecast`.
#[proc_macro_attribute]
pub fn prompt(args: TokenStream, item: TokenStream) -> TokenStream {
    nodecast_macros_core::prompt(args.into(), item.into()).into()
}

/// Documented at its re-export in `nodecast`. `config` and the like are among its attributes to be refused
/// by us and not by the compiler too.
#[proc_macro_derive(Outputs, attributes(outputs, port, display, config, argument, complete))]
pub fn outputs(item: TokenStream) -> TokenStream {
    nodecast_macros_core::outputs(item.into()).into()
}

/// Documented at its re-export in `nodecast`.
#[proc_macro_derive(Container, attributes(container, state))]
pub fn container(item: TokenStream) -> TokenStream {
    nodecast_macros_core::container(item.into()).into()
}

/// Documented at its re-export in `nodecast`.
#[proc_macro_derive(NodeError, attributes(node_error))]
pub fn node_error(item: TokenStream) -> TokenStream {
    nodecast_macros_core::node_error(item.into()).into()
}

/// Documented at its re-export in `nodecast-live`. Those beside `message` are of its fields, as those of a node.
#[proc_macro_derive(Message, attributes(message, port, config, display, argument, complete))]
pub fn message(item: TokenStream) -> TokenStream {
    nodecast_macros_core::messages(item.into()).into()
}

/// Documented at its re-export in `nodecast-live`.
#[proc_macro_derive(Expose, attributes(expose))]
pub fn expose(item: TokenStream) -> TokenStream {
    nodecast_macros_core::view(item.into()).into()
}
