//! The macros' own messages, whatever the compiler: every file below `tests/ui` is expanded, and what the expansion
//! says is compared with its `.stderr` (B25). `tests/ui/ui.rs` compares the compiler's words too, for one version.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test ends where something is not as it should be"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};

/// What each `compile_error!` says.
fn said(tokens: TokenStream, messages: &mut BTreeSet<String>) {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(name) if name == "compile_error" => {
                let Some(TokenTree::Group(argument)) = tokens.nth(1) else { panic!("`compile_error!` says nothing") };
                messages.insert(syn::parse2::<syn::LitStr>(argument.stream()).unwrap().value());
            }
            TokenTree::Group(group) => said(group.stream(), messages),
            _ => {}
        }
    }
}

/// The errors without a code, which are those of macros; one may have several lines.
fn reviewed(stderr: &str) -> BTreeSet<String> {
    let errors = stderr.split("\n\n").filter_map(|error| error.strip_prefix("error: "));
    let errors = errors.filter_map(|error| Some(error.split_once("\n -->")?.0.to_owned()));
    // That one is of `include_str!`.
    errors.filter(|error| !error.starts_with("couldn't read")).collect()
}

#[test]
fn b25_our_messages_are_the_reviewed_ones() {
    let ui = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui");
    let mut compared = 0;
    let mut wrong = Vec::new();
    for topic in fs::read_dir(ui).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()) {
        for file in fs::read_dir(topic).unwrap().map(|entry| entry.unwrap().path()) {
            let stderr = file.with_extension("stderr");
            if file.extension().is_none_or(|extension| extension != "rs") || !stderr.exists() {
                continue;
            }
            let expanded = nodecast_macros_core::expand_file(&fs::read_to_string(&file).unwrap()).unwrap();
            let mut messages = BTreeSet::new();
            said(expanded.parse().unwrap(), &mut messages);
            let reviewed = reviewed(&fs::read_to_string(stderr).unwrap());
            if messages != reviewed {
                wrong.push(format!("{}:\n  says {messages:#?}\n  reviewed {reviewed:#?}", file.display()));
            }
            compared += messages.len();
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared > 40, "only {compared} messages were found");
}
