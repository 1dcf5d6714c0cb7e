//! Messages and views: what is refused, at which token.

use super::{found, one, tokens};
use crate::errors::Errors;
use crate::{check, parse};

fn messages(item: &str) -> Vec<(String, String)> {
    let mut errors = Errors::default();
    let (_, model) = parse::messages(&mut errors, tokens(item));
    if let Some(model) = model {
        check::messages(&mut errors, &model);
    }
    found(errors)
}

fn view(item: &str) -> Vec<(String, String)> {
    let mut errors = Errors::default();
    let (_, model) = parse::view(&mut errors, tokens(item));
    if let Some(model) = model {
        check::view(&mut errors, &model);
    }
    found(errors)
}

#[test]
fn what_is_sound_is_accepted() {
    let sound = "enum A { #[message(rename = \"a.b\")] One { #[port(name = \"x\")] a: u8, b: Option<String> }, Two, #[message(skip)] Three(Vec<u8>) }";
    assert_eq!(messages(sound), []);
    assert_eq!(
        view("struct A { a: Memo<u8>, #[expose(node, rename = \"a\")] b: Memo<u8>, #[expose(skip)] c: u8 }"),
        []
    );
    assert_eq!(messages("enum A {}"), []);
    assert_eq!(view("struct A;"), []);
}

#[test]
fn a_message_has_named_arguments_of_its_own() {
    one(messages("enum A { B(u8) }"), "(u8)", "write `B { name: Type }`, or `#[message(skip)]`");
    one(messages("enum A { B() }"), "()", "write `B` without `()`");
    one(messages("enum A<T> { B { b: T } }"), "T", "cannot be generic");
    one(messages("enum A<'a> { B { b: &'a str } }"), "'a", "fields own their values");
    one(messages("struct A { b: u8 }"), "struct", "goes on an enum");
    one(messages("enum A { B { b: Vec<u8> } }"), "Vec<u8>", "write `Bytes`");
    one(messages("enum A { B { #[display(log_list)] b: u8 } }"), "#[display(log_list)]", "a display shows an output");
}

#[test]
fn names_are_those_of_a_uri() {
    one(messages("enum A { #[message(rename = \"a b\")] B }"), "\"a b\"", "write `rename = \"a_b\"`");
    one(messages("enum A { #[message(rename = \"\")] B }"), "\"\"", "cannot be empty");
    let long = format!("enum A {{ #[message(rename = \"{}\")] B }}", "b".repeat(65));
    assert!(messages(&long)[0].1.contains("65 characters"));
    one(view("struct A { #[expose(rename = \"a/b\")] a: Memo<u8> }"), "\"a/b\"", "`/` cannot stand");
    one(messages("enum A { B, #[message(rename = \"b\")] C }"), "\"b\"", "`B` and `C` are both the message `b`");
    one(view("struct A { a: Memo<u8>, #[expose(rename = \"a\")] b: Memo<u8> }"), "\"a\"", "both exposed as `a`");
}

#[test]
fn words_are_known_and_agree() {
    one(messages("enum A { #[message(renam = \"b\")] B }"), "renam", "write `rename`");
    one(messages("enum A { #[message(skip, rename = \"b\")] B }"), "skip", "remove one of them");
    one(view("struct A { #[expose(skip, node)] a: u8 }"), "skip", "remove one of them");
    one(view("struct A(Memo<u8>);"), "(Memo<u8>)", "named fields");
    one(view("enum A { B }"), "enum", "goes on a struct");
    one(view("struct A { #[expose(nod)] a: Memo<u8> }"), "nod", "write `node`");
}
