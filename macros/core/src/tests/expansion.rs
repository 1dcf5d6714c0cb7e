//! What is emitted, as text to review: one input file a macro, one snapshot beside the other projections.

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

expands! { node node_words nodeset outputs forms editor presence error mistake }

#[test]
fn a_renamed_crate_is_the_only_one_named() {
    let args = || "crate = \"vendored::nc\", nodes(A)".parse().unwrap();
    let text = crate::nodeset(args(), "struct S;".parse().unwrap()).to_string();
    assert!(text.contains("use vendored :: nc :: __private as __rt"), "{text}");
    assert!(!text.contains("nodecast"), "{text}");
}

#[test]
fn an_expansion_is_the_same_every_time() {
    let source = include_str!("../../expansion/node.rs");
    assert_eq!(expand_file(source).unwrap(), expand_file(source).unwrap());
}
