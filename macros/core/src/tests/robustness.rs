//! No input makes a macro panic, and none loses the user's item.

use proc_macro2::{Group, TokenStream, TokenTree};

use super::tokens;

const NODE: &str = r#"
    /// Doc.
    #[derive(Debug)]
    pub struct Probe {
        #[port(name = "a", wire = "LIST[TEXT]")] a: Vec<Option<(u8, [f32; 3])>>,
        #[config(slider(min = -1, max = 1.5, step = 0.1), default = 0.2, section = "model")] b: f32,
        #[config(select("x", "y" = "Y"), default = "x")] c: String,
    }
"#;
const ARGS: &str = r#"name = "x", read_only, destructive = false, nodes(A, b::C<D>), prefix = "", exclusive"#;
const ERROR: &str = r#"enum E { #[node_error(name = "a", retryable)] A(u8), B { c: u8 } }"#;

/// Every stream that misses one token, at any depth, and every one that has a token twice.
fn mutants(stream: &TokenStream) -> Vec<TokenStream> {
    let trees: Vec<TokenTree> = stream.clone().into_iter().collect();
    let mut found = Vec::new();
    for at in 0..trees.len() {
        let without = trees.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, tree)| tree.clone());
        found.push(without.collect());
        let twice =
            trees.iter().enumerate().flat_map(|(other, tree)| vec![tree.clone(); if other == at { 2 } else { 1 }]);
        found.push(twice.collect());
        if let TokenTree::Group(group) = &trees[at] {
            for inner in mutants(&group.stream()) {
                let mut changed = trees.clone();
                changed[at] = Group::new(group.delimiter(), inner).into();
                found.push(changed.into_iter().collect());
            }
        }
    }
    found
}

#[test]
fn no_item_makes_a_macro_panic() {
    for item in mutants(&tokens(NODE)).into_iter().chain(mutants(&tokens(ERROR))) {
        crate::node(tokens(ARGS), item.clone());
        crate::nodeset(tokens(ARGS), item.clone());
        crate::outputs(item.clone());
        crate::node_error(item);
    }
}

#[test]
fn no_argument_makes_a_macro_panic() {
    for args in mutants(&tokens(ARGS)) {
        crate::node(args.clone(), tokens("struct A;"));
        crate::nodeset(args, tokens("struct A;"));
    }
}

#[test]
fn the_item_outlives_every_mistake() {
    for item in ["enum A { B }", "struct A(u8);", "struct A<T>(T);", "fn a() {}", "struct A { x: Vec<u8> }"] {
        let expanded = crate::node(tokens("nonsense"), tokens(item)).to_string();
        assert!(expanded.starts_with(&tokens(item).to_string()), "{expanded}");
    }
}
