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

/// What the compiler says of a mistake below `tests/ui`.
fn of(mistake: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui").join(mistake);
    assert!(file.with_extension("rs").exists(), "{mistake}");
    fs::read_to_string(file.with_extension("stderr")).unwrap()
}

/// That each of these mistakes is an error which begins with our own sentence, and says this; that the compiler says so
/// is what `tests/ui` compares.
fn say(topic: &str, mistakes: &[(&str, &str)]) {
    for (mistake, fix) in mistakes {
        let said = of(&format!("{topic}/{mistake}"));
        let first = said.lines().next().unwrap();
        // What several items show together, a `const` finds.
        let is_ours = first.starts_with("error: ") || first.starts_with("error[E0080]: evaluation panicked: ");
        assert!(is_ours && first.contains(fix), "{topic}/{mistake}: {said}");
    }
}

/// Fault B02: arguments go by name, so a node has named fields or none.
#[test]
fn b02_a_node_is_a_struct_of_named_fields() {
    say(
        "node",
        &[
            ("tuple_struct", "write `{ name: Type }`"),
            ("newtype", "write `{ name: Type }`"),
            ("empty_tuple", "write `;` in place of `()`"),
            ("enum_as_node", "write one with a field of this type"),
            ("union", "write `struct`"),
        ],
    );
}

/// Fault B17: what JSON has no key for.
#[test]
fn b17_keys_that_json_has_not() {
    for mistake in ["map_key", "map_key_float", "map_key_option"] {
        say("node", &[(mistake, "the keys of a JSON object are text")]);
    }
}

/// Fault B21: two of one name, and both are named.
#[test]
fn b21_names_that_stand_twice() {
    say(
        "nodeset",
        &[
            ("duplicate_name", "duplicate_name.rs:7 or $DIR/nodeset/duplicate_name.rs:10"),
            ("nearly_equal_names", "`say_hello` and `say-hello` are one name"),
            ("listed_twice", "`Hello` is listed twice"),
        ],
    );
    say(
        "node",
        &[
            ("port_and_config_of_one_name", "rename `strength` or `factor`"),
            ("duplicate_field_name", "`over` and `under` are both named `over`"),
        ],
    );
}

/// Fault B23: what no table can hold is said in our words.
#[test]
fn b23_what_a_table_cannot_hold() {
    say(
        "node",
        &[
            ("lifetime", "write `String` for `&str`"),
            ("const_generic", "write the type in its place"),
            ("where_clause", "remove it"),
            ("impl_trait", "write a type with `Deserialize` and `JsonSchema`"),
        ],
    );
    assert!(of("nodeset/run_holds_rc").contains("which is not `Send`"));
}

/// Fault B27: fields of an editor that could never be right.
#[test]
fn b27_widgets_that_cannot_be_set() {
    say(
        "node",
        &[
            ("select_without_options", "needs options; write `select("),
            ("select_empty", "needs an option; write `select("),
            ("select_default_not_an_option", "write one of `\"box\"`, `\"gauss\"`"),
            ("slider_step_not_positive", "needs to be above 0"),
            ("slider_step_not_a_number", "expected a literal"),
        ],
    );
}

/// `live.md` 12; that the compiler says so is what `tests/ui` compares.
#[test]
fn r16_a_handle_on_another_thread_is_an_error_that_names_send() {
    assert!(of("live/handle_on_another_thread").contains("the trait `Send` is not implemented"));
}

#[test]
fn r24_mistakes_of_the_derives_name_the_fix() {
    say(
        "live",
        &[
            ("tuple_variant", "write `AddItem { name: Type }`"),
            ("message_charset", "write `rename = "),
            ("duplicate_message", "rename one"),
            ("generic_messages", "write the type in its place"),
            ("borrowed_argument", "write `String` for `&str`"),
            ("exposed_charset", "write `rename = "),
            ("duplicate_exposed", "rename"),
            ("exposed_generic", "write the type in its place"),
            ("exposed_tuple_struct", "write `{ name: Type }`"),
            ("exposed_enum", "write `struct`"),
            ("struct_as_messages", "write `enum`"),
        ],
    );
}
