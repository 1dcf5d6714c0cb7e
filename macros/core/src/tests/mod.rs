//! The front end from tokens to tokens. What the compiler makes of it is tested in `tests/ui`.

#[cfg(not(feature = "file"))]
compile_error!("the tests read the places of messages: test the whole workspace, or add `--features file`");

mod book;
mod checking;
mod containers;
mod edges;
mod expansion;
mod generated;
mod live;
mod offers;
mod parsing;
mod robustness;
mod words;

use proc_macro2::TokenStream;

use crate::errors::Errors;
use crate::{check, parse};

/// The text that each error points at, and its message.
fn found(errors: Errors) -> Vec<(String, String)> {
    let errors = errors.finish().into_iter().flatten();
    errors.map(|error| (error.span().source_text().unwrap_or_default(), error.to_string())).collect()
}

fn tokens(text: &str) -> TokenStream {
    text.parse().unwrap()
}

fn node(args: &str, item: &str) -> Vec<(String, String)> {
    let mut errors = Errors::default();
    let (_, model) = parse::node(&mut errors, tokens(args), tokens(item));
    if let Some(model) = model {
        check::node(&mut errors, &model);
    }
    found(errors)
}

fn nodeset(args: &str, item: &str) -> Vec<(String, String)> {
    let mut errors = Errors::default();
    let (_, model) = parse::nodeset(&mut errors, tokens(args), tokens(item));
    if let Some(model) = model {
        check::nodeset(&mut errors, &model);
    }
    found(errors)
}

fn outputs(item: &str) -> Vec<(String, String)> {
    let mut errors = Errors::default();
    let (_, model) = parse::outputs(&mut errors, tokens(item));
    if let Some(model) = model {
        check::outputs(&mut errors, &model);
    }
    found(errors)
}

fn container(item: &str) -> Vec<(String, String)> {
    let mut errors = Errors::default();
    let (_, model) = parse::container(&mut errors, tokens(item));
    if let Some(model) = model {
        check::container(&mut errors, &model);
    }
    found(errors)
}

fn node_error(item: &str) -> Vec<(String, String)> {
    let mut errors = Errors::default();
    let (_, model) = parse::node_error(&mut errors, tokens(item));
    if let Some(model) = model {
        check::node_error(&mut errors, &model);
    }
    found(errors)
}

/// One error, at this token, whose message holds this text.
#[track_caller]
fn one(found: Vec<(String, String)>, at: &str, says: &str) {
    match found.as_slice() {
        [(token, message)] => {
            assert_eq!(token, at, "{message}");
            assert!(message.contains(says), "{message}");
        }
        others => panic!("expected one error, not {others:#?}"),
    }
}

/// A field of a node, alone.
fn field(text: &str) -> Vec<(String, String)> {
    node("", &format!("struct Probe {{ {text} }}"))
}
