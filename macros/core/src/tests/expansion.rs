//! What is emitted, as text to review: one input file a macro, one snapshot beside the other projections.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use crate::expand_file;

macro_rules! expands {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            let text = expand_file(include_str!(concat!("../../expansion/", stringify!($name), ".rs"))).unwrap();
            let mut settings = insta::Settings::clone_current();
            settings.set_snapshot_path("../../../../snapshots/expansion");
            settings.set_prepend_module_to_snapshot(false);
            settings.set_omit_expression(true);
            settings.bind(|| insta::assert_snapshot!(stringify!($name), text));
        }
    )*};
}

expands! { node node_words nodeset nodeset_words resource prompt outputs forms editor presence error live mistake }

#[test]
fn a_renamed_crate_is_the_only_one_named() {
    let args = || "crate = \"vendored::nc\", nodes(A)".parse().unwrap();
    let text = crate::nodeset(args(), "struct S;".parse().unwrap()).to_string();
    assert!(text.contains("use vendored :: nc :: __private as __rt"), "{text}");
    assert!(!text.contains("nodecast"), "{text}");
}

#[test]
fn t34_an_expansion_is_the_same_a_thousand_times() {
    let item = syn::parse_file(include_str!("../../expansion/node.rs")).unwrap().items.remove(1).into_token_stream();
    let (args, nodes): (TokenStream, TokenStream) = (quote!(title = "Segment"), quote!(exclusive, nodes(A, B)));
    let first =
        (crate::node(args.clone(), item.clone()).to_string(), crate::nodeset(nodes.clone(), item.clone()).to_string());
    assert!(first.0.contains("min_area"));
    for _ in 1..1_000 {
        assert_eq!(crate::node(args.clone(), item.clone()).to_string(), first.0);
        assert_eq!(crate::nodeset(nodes.clone(), item.clone()).to_string(), first.1);
    }
}
