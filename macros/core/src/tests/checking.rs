//! What one item shows to be wrong: one error a mistake, at its token.

use super::{field, node, node_error, nodeset, one, outputs};

#[test]
fn names_suit_clients() {
    one(node("name = \"cut out\"", "struct A;"), "\"cut out\"", "write `name = \"cut_out\"`");
    one(node("name = \"ä\"", "struct A;"), "\"ä\"", "write `name = \"…\"`");
    one(node("name = \"\"", "struct A;"), "\"\"", "cannot be empty");
    one(node("", "struct Größe;"), "Größe", "`ö` cannot stand");
    one(
        node(&format!("name = \"{}\"", "a".repeat(65)), "struct A;"),
        &format!("\"{}\"", "a".repeat(65)),
        "has 65 characters",
    );
    one(nodeset("", "struct Mcp;"), "Mcp", "`/mcp` is a page of the server");
    one(nodeset("name = \"env-panel\"", "struct A;"), "\"env-panel\"", "a nodeset cannot be called");
    one(nodeset("name = \"a__b\"", "struct A;"), "\"a__b\"", "write `name = \"a_b\"`");
    one(nodeset("prefix = \"a_\"", "struct A;"), "\"a_\"", "write `prefix = \"a\"`");
    one(nodeset("prefix = \"a.b\"", "struct A;"), "\"a.b\"", "write `prefix = \"a_b\"`");
    assert!(nodeset("prefix = \"\"", "struct A;").is_empty());
    assert!(node("name = \"Cut-out_2\"", "struct A;").is_empty());
}

#[test]
fn what_is_said_of_holding_a_nodeset_goes_together() {
    one(nodeset("modern = \"reject\"", "struct A;"), "\"reject\"", "add `exclusive`");
    one(nodeset("modern = \"reject\", exclusive = false", "struct A;"), "\"reject\"", "add `exclusive`");
    one(nodeset("exclusive = \"all\", sessions = \"none\"", "struct A;"), "\"none\"", "write `exclusive = false`");
    one(nodeset("parallelism = \"replicated\", sessions = \"kept\"", "struct A;"), "\"kept\"", "remove `sessions`");
    assert!(
        nodeset("parallelism = \"replicated\", exclusive = false, sessions = \"required\"", "struct A;").is_empty()
    );
    assert!(nodeset("parallelism = \"replicated\", modern = \"reject\"", "struct A;").is_empty());
    // `__acquire` has nine letters.
    let named = |length: usize| nodeset(&format!("exclusive, name = \"{}\"", "a".repeat(length)), "struct A;");
    assert!(named(55).is_empty());
    one(named(56), &format!("\"{}\"", "a".repeat(56)), "with at most 55");
    one(named(65), &format!("\"{}\"", "a".repeat(65)), "clients take 64");
    let prefixed = format!("exclusive, name = \"{}\", prefix = \"\"", "a".repeat(60));
    assert!(nodeset(&prefixed, "struct A;").is_empty());
}

#[test]
fn fields_are_told_apart_by_name() {
    one(field("a: u8, #[port(name = \"a\")] b: u8"), "\"a\"", "`a` and `b` are both named `a`");
    one(
        field("a: u8, #[config(name = \"a\", default = 1)] b: u8"),
        "\"a\"",
        "a port and a config field are both named `a`",
    );
    one(field("r#type: u8, #[port(name = \"type\")] b: u8"), "\"type\"", "both named `type`");
    one(field("#[port(name = \"\")] b: u8"), "\"\"", "cannot be empty");
    one(field("__ndarray__: u8"), "__ndarray__", "marks an array in JSON");
    one(outputs("struct A { a: u8, #[port(name = \"a\")] b: u8 }"), "\"a\"", "both named `a`");
    one(node_error("enum E { A, #[node_error(name = \"a\")] B }"), "\"a\"", "`A` and `B` are both the kind `a`");
    one(field("#[port(name = \"a\\u{202e}b\")] a: u8"), "\"a\\u{202e}b\"", "`\\u{202e}` cannot be seen");
    one(field("#[port(name = \"a\\0\")] a: u8"), "\"a\\0\"", "`\\u{0}` cannot be seen");
    // Names that trouble other tools are theirs to keep.
    assert!(field("#[port(name = \"$ref\")] a: u8, #[port(name = \"__proto__\")] b: u8, größe: u8").is_empty());
}

#[test]
fn wire_types_are_known_and_lists_hold_no_lists() {
    assert!(field("#[port(wire = \"LIST[IMAGE]\")] a: X, #[port(wire = \"ACTION\")] b: X").is_empty());
    one(field("#[port(wire = \"IMAGES\")] a: X"), "\"IMAGES\"", "write `IMAGE`");
    one(field("#[port(wire = \"LIST[text]\")] a: X"), "\"LIST[text]\"", "write `LIST[TEXT]`");
    one(field("#[port(wire = \"LIST[LIST[TEXT]]\")] a: X"), "\"LIST[LIST[TEXT]]\"", "a list holds no list");
    one(field("#[port(wire = \"VIDEO\")] a: X"), "\"VIDEO\"", "expected `IMAGE`, `DEPTH`");
}

#[test]
fn types_go_over_the_wire() {
    one(field("a: &'static str"), "&'static str", "write `String`");
    one(field("a: Option<&'static [u16]>"), "&'static [u16]", "write `Vec<u16>`");
    one(field("a: Cow<'a, str>"), "'a", "write the owned type");
    one(field("a: Option<Option<u8>>"), "Option<u8>", "write `Option<u8>`");
    one(field("a: Vec<core::option::Option<Option<u8>>>"), "Option<u8>", "one null");
    one(field("a: Vec<u8>"), "Vec<u8>", "write `Bytes`");
    one(field("a: Option<std::vec::Vec<u8>>"), "std::vec::Vec<u8>", "write `Bytes`");
    one(field("a: [u8; 4]"), "[u8; 4]", "write `Bytes`");
    one(field("a: Vec<(u8, i128)>"), "i128", "write `#[port(as_string)]`");
    one(field("a: u128"), "u128", "or `u64`");
    one(field("#[config(number)] a: Option<u128>"), "u128", "write `#[config(as_string)]`");
    one(field("a: HashMap<(i32, i32), u8>"), "(i32, i32)", "write `Vec<((i32, i32), u8)>`");
    one(field("a: BTreeMap<f64, u8>"), "f64", "`f64` is none");
    one(field("a: Box<dyn Fn()>"), "dyn Fn()", "cannot go over the wire");
    one(field("a: fn() -> u8"), "fn() -> u8", "`fn() -> u8` cannot go over the wire");
    one(outputs("struct A { a: *const u8 }"), "*const u8", "`Serialize` and `JsonSchema`");
    assert!(
        field("a: BTreeMap<u32, Cow<'static, str>>, b: [f32; 3], c: (u8, Kind), d: BTreeMap<Kind, Vec<u16>>")
            .is_empty()
    );
}

#[test]
fn hints_do_not_contradict() {
    one(node("read_only, destructive", "struct A;"), "destructive", "remove one of them");
    assert!(node("read_only, destructive = false", "struct A;").is_empty());
    assert!(node("read_only = false, destructive", "struct A;").is_empty());
}

#[test]
fn a_node_is_listed_once() {
    assert!(nodeset("nodes(#[cfg(a)] A, #[cfg(b)] A)", "struct S;").is_empty());
    one(nodeset("nodes(#[cfg(a)] A, B, #[cfg(a)] A)", "struct S;"), "A", "listed twice");
    one(nodeset("nodes(A, b::C, b :: C)", "struct S;"), "b :: C", "`b::C` is listed twice");
}

#[test]
fn sliders_agree_with_themselves() {
    let case = |bounds: &str, default: &str, ty: &str| {
        field(&format!("#[config(slider({bounds}), default = {default})] x: {ty}"))
    };
    assert!(case("min = 0.0, max = 1.0, step = 0.01", "0.02", "f32").is_empty());
    assert!(case("min = -1, max = 1, step = 0.1", "-0.3", "f64").is_empty());
    assert!(case("min = 0, max = 255", "7", "u8").is_empty());
    one(case("min = 0, max = 1", "1.5", "f32"), "1.5", "write one from 0 to 1");
    one(case("min = 0, max = 1", "-1", "f32"), "-1", "write one from 0 to 1");
    one(case("min = 1, max = 1", "1", "f32"), "1", "above its `min`");
    one(case("min = 0, max = 1, step = 0", "0", "f32"), "0", "above 0");
    one(case("min = 0, max = 1, step = -1", "0", "f32"), "-1", "above 0");
    one(case("min = 0, max = 1, step = 2", "0", "f32"), "2", "wider than the slider");
    one(
        case("min = 0, max = 1, step = 0.1", "0.25", "f32"),
        "0.25",
        "between two steps of 0.1 from 0; write 0.2 or 0.3",
    );
    one(case("min = -1, max = 1, step = 0.25", "0.3", "f32"), "0.3", "write 0.25 or 0.50");
    one(case("min = 0.5, max = 9, step = 2", "3", "f32"), "3", "write 2.5 or 4.5");
    one(case("min = 1, max = 9, step = 2", "2", "u8"), "2", "write 1 or 3");
    one(case("min = 0, max = 256", "1", "u8"), "256", "is no `u8`");
    one(case("min = 0.5, max = 8", "1", "u8"), "0.5", "whole number");
    one(case("min = 0, max = 1", "\"x\"", "X"), "\"x\"", "a `slider` shows a number");
    one(case("min = 0, max = 1", "1", "String"), "slider", "this field is `String`; write `text`");
}

#[test]
fn selects_have_their_default_among_their_options() {
    let case =
        |widget: &str, default: &str, ty: &str| field(&format!("#[config({widget}, default = {default})] x: {ty}"));
    assert!(case("select", "\"fast\"", "Mode").is_empty());
    assert!(case("select(\"a\", \"b\" = \"B\",)", "\"b\"", "Option<String>").is_empty());
    one(case("select(\"a\", \"b\")", "\"c\"", "String"), "\"c\"", "write one of `\"a\"`, `\"b\"`");
    one(case("select(\"a\", \"a\")", "\"a\"", "String"), "\"a\"", "stands twice");
    one(case("select", "\"a\"", "String"), "select", "needs options");
    one(case("select(\"1\")", "\"1\"", "u8"), "select", "write `slider(min = …, max = …)` or `number`");
    one(case("select(\"1\")", "1", "X"), "1", "write a string");
}

#[test]
fn defaults_fit_their_type() {
    let case = |default: &str, ty: &str| field(&format!("#[config(default = {default})] x: {ty}"));
    assert!(case("18446744073709551615", "u64").is_empty());
    assert!(case("3", "f32").is_empty());
    one(case("300", "u8"), "300", "write a default from 0 to 255");
    one(case("-1", "usize"), "-1", "is no `usize`");
    one(case("1.0", "Option<u8>"), "1.0", "write `default = 1`");
    one(case("1e39", "f32"), "1e39", "too large for `f32`");
    one(case("18446744073709551616", "X"), "18446744073709551616", "does not fit 64 bits");
    one(case("true", "u8"), "true", "this default is no `u8`; write a number");
    one(field("#[config(number(min = 3, max = 1), default = 2)] x: u8"), "1", "`max` needs to be at least `min`");
    one(field("#[config(number(min = 3), default = 2)] x: u8"), "2", "write one from 3");
}

#[test]
fn every_mistake_is_reported_at_once() {
    let found = node("read_olny", "struct A { a: Vec<u8>, #[config(default = 300)] b: u8, #[prot] c: u8 }");
    let at: Vec<&str> = found.iter().map(|(token, _)| token.as_str()).collect();
    assert_eq!(at, ["read_olny", "prot", "Vec<u8>", "300"]);
}
