//! What else can be said of a node, a field and an output, and what each word asks of the rest.

use super::parsing::model;
use super::{field, node, nodeset, one, outputs};
use crate::model::{Batching, Deprecation, Role, Widget};

#[test]
fn deprecation_is_the_languages_own() {
    let read = |attribute: &str| model("", &format!("{attribute} struct A;")).deprecated;
    let said = |since: &str, note: &str| Some(Deprecation { since: since.to_owned(), note: note.to_owned() });
    assert_eq!(read(""), None);
    assert_eq!(read("#[deprecated]"), said("", ""));
    assert_eq!(read("#[deprecated = \"x\"]"), said("", "x"));
    assert_eq!(read("#[deprecated(since = \"1.2.0\", note = \"x\")]"), said("1.2.0", "x"));
    assert_eq!(read("#[deprecated(note = \"x\", suggestion = \"y\")]"), said("", "x"));
    // The compiler answers these, since the attribute stays on the item.
    assert_eq!(read("#[deprecated(nonsense)]"), said("", ""));
    assert_eq!(read("#[deprecated = 3]"), said("", ""));
    assert_eq!(model("", "struct A { #[deprecated] a: u8 }").fields[0].deprecated, said("", ""));
}

#[test]
fn a_batch_has_bounds() {
    let read = |args: &str| model(args, "struct A;").batched;
    assert_eq!(
        read("batched(max = 1, wait_ms = 0)"),
        Some(Batching { max: Some(1), wait_ms: Some(0), concurrency: None })
    );
    let most = Batching { max: Some(4096), wait_ms: Some(1000), concurrency: Some(4096) };
    assert_eq!(read("batched(max = 4096, wait_ms = 1000, concurrency = 4096)"), Some(most));
    assert_eq!(read("batched()"), Some(Batching::default()));
    one(node("batched(max = 0)", "struct A;"), "0", "`max` is a whole number from 1 to 4096; write 1");
    one(node("batched(max = 4097)", "struct A;"), "4097", "write 4096");
    one(node("batched(max = -1)", "struct A;"), "-1", "write 1");
    one(node("batched(max = 1.0)", "struct A;"), "1.0", "from 1 to 4096");
    one(node("batched(wait_ms = 1001)", "struct A;"), "1001", "`wait_ms` is a whole number from 0 to 1000");
    one(node("batched(concurrency = 0)", "struct A;"), "0", "`concurrency` is a whole number from 1 to 4096; write 1");
    one(node("batched(wait = 1)", "struct A;"), "wait", "unknown argument `wait` of `batched`");
    one(node("batched", "struct A;"), "batched", "write `batched(max = 32, wait_ms = 10)`");
    one(node("batched = 3", "struct A;"), "batched", "takes its bounds in a list");
    one(node("batched(max = 1, max = 2)", "struct A;"), "max", "duplicate argument `max`");
}

#[test]
fn marks_stand_alone() {
    assert!(model("unstable", "struct A;").unstable);
    one(node("unstable = true", "struct A;"), "true", "`unstable` takes no value; write `unstable`");
    one(node("raw_schema", "struct A;"), "raw_schema", "write `raw_schema = \"…\"`");
    one(nodeset("show_errors()", "struct A;"), "(", "`show_errors` takes no list");
    one(nodeset("as_string, as_string", "struct A;"), "as_string", "duplicate argument `as_string`");
    one(field("#[port(as_string = true)] a: u8"), "true", "`as_string` takes no value");
    one(field("#[config(default = 1, persist = true)] a: u8"), "true", "`persist` takes no value");
}

#[test]
fn full_size_is_for_pictures_that_are_returned() {
    for ty in ["Image", "Option<Image>", "Vec<Image>", "Mine"] {
        assert!(outputs(&format!("struct A {{ #[port(full_size)] a: {ty} }}")).is_empty(), "{ty}");
    }
    for ty in ["String", "bool", "Option<u8>"] {
        one(outputs(&format!("struct A {{ #[port(full_size)] a: {ty} }}")), "full_size", &format!("`{ty}`; remove it"));
    }
    one(field("#[port(full_size)] a: Image"), "full_size", "move it to the field of a struct with");
    one(field("#[port(full_size = true)] a: Image"), "true", "`full_size` takes no value");
}

#[test]
fn as_string_is_for_integers() {
    for ty in
        ["u8", "i128", "Option<u128>", "Vec<(String, i64)>", "[u32; 3]", "BTreeMap<String, u8>", "Mine", "a::B<f32>"]
    {
        assert!(field(&format!("#[port(as_string)] a: {ty}")).is_empty(), "{ty}");
    }
    for ty in ["f32", "String", "bool", "Option<f64>", "Vec<(String, f64)>", "[bool; 3]"] {
        one(field(&format!("#[port(as_string)] a: {ty}")), "as_string", &format!("`{ty}` has none"));
    }
    one(field("#[config(default = 0.5, as_string)] a: f32"), "as_string", "has none");
}

#[test]
fn nan_is_for_floats_that_are_there() {
    for ty in ["f32", "f64", "Vec<[f64; 2]>", "BTreeMap<String, f64>", "Mine"] {
        assert!(field(&format!("#[port(nan = \"null\")] a: {ty}")).is_empty(), "{ty}");
    }
    for ty in ["u8", "String", "Vec<bool>"] {
        one(field(&format!("#[port(nan = \"null\")] a: {ty}")), "nan", &format!("`{ty}` has none"));
    }
    for (ty, at) in
        [("Option<f64>", "Option<f64>"), ("Vec<(u8, Option<f64>)>", "Option<f64>"), ("[Option<f32>; 2]", "Option<f32>")]
    {
        one(field(&format!("#[port(nan = \"null\")] a: {ty}")), at, "null is NaN");
    }
    one(field("#[port(nan = \"zero\")] a: f64"), "\"zero\"", "write `nan = \"null\"`");
    one(field("#[config(default = 0.5, nan = \"null\")] a: f64"), "nan", "unknown argument `nan`");
}

#[test]
fn headers_are_tokens_of_plain_values() {
    for ty in ["String", "char", "u64", "bool", "Option<i8>", "Mode", "i128"] {
        let field = field(&format!("#[port(header = \"X-Region_1\", as_string)] a: {ty}"));
        assert!(field.iter().all(|(at, _)| at == "as_string"), "{ty}: {field:?}");
    }
    for ty in ["f32", "Option<f64>", "Vec<u8>", "[u16; 3]", "(u8, u8)", "BTreeMap<String, u8>", "Box<str>"] {
        let found = field(&format!("#[port(header = \"A\")] a: {ty}"));
        assert!(found.iter().any(|(at, text)| at == "\"A\"" && text.contains("a header carries")), "{ty}: {found:?}");
    }
    one(field("#[port(header = \"\")] a: u8"), "\"\"", "cannot be empty");
    one(outputs("struct A { #[port(header = \"Ä b\")] a: f32 }"), "\"Ä b\"", "remove `header`");
    one(field("#[port(header = \"a b\")] a: u8"), "\"a b\"", "such as `header = \"a-b\"`");
    one(field("#[port(header = \"ä:\")] a: u8"), "\"ä:\"", "`ä` cannot stand");
    one(
        field("#[port(header = \"Region\")] a: u8, #[config(header = \"REGION\", default = 1)] b: u8"),
        "\"REGION\"",
        "two fields have the header `REGION`",
    );
    // Every token character of RFC 9110.
    assert!(field("#[port(header = \"!#$%&'*+-.^_`|~09azAZ\")] a: u8").is_empty());
}

#[test]
fn a_label_carries_no_value() {
    let label = model("", "struct A { #[config(label, label = \"Read\", section = \"model\", title = \"T\")] a: () }");
    assert!(matches!(&label.fields[0].role, Role::Config(config) if matches!(config.widget, Widget::Label)));
    one(field("#[config(label)] a: String"), "String", "write the type `()`");
    for (said, at, word) in [
        ("default = 1", "1", "default"),
        ("placeholder = \"x\"", "\"x\"", "placeholder"),
        ("unset_label = \"x\"", "\"x\"", "unset_label"),
        ("persist", "persist", "persist"),
        ("header = \"X\"", "\"X\"", "header"),
        ("as_string", "as_string", "as_string"),
    ] {
        one(field(&format!("#[config(label, {said})] a: ()")), at, &format!("remove `{word}`"));
    }
    one(field("#[config(label, text)] a: ()"), "text", "has one widget");
    one(field("#[config(label())] a: Option<u8>"), "label", "write `label = \"…\"`");
}

#[test]
fn config_says_where_it_stands() {
    let config = |text: &str| match model("", &format!("struct A {{ #[config({text})] a: Option<u8> }}"))
        .fields
        .remove(0)
        .role
    {
        Role::Config(config) => config,
        other => panic!("{other:?}"),
    };
    assert!(config("number").on_card);
    assert!(config("number, on_card").on_card);
    assert!(!config("number, on_card = false").on_card);
    assert!(config("number, persist").persist.is_some());
    assert_eq!(config("number, unset_label = \"auto\"").unset_label.unwrap().value(), "auto");
    one(field("#[config(default = 1, unset_label = \"x\")] a: u8"), "\"x\"", "write the type `Option<u8>`");
}

#[test]
fn displays_show_what_can_be_shown() {
    let display = |text: &str, ty: &str| outputs(&format!("struct A {{ #[display({text})] a: {ty} }}"));
    assert!(display("image_viewer", "Image").is_empty());
    assert!(display("log_list, label = \"L\", max_visible = 1, accumulate", "u8").is_empty());
    assert!(display("metric_table", "Metrics").is_empty());
    one(
        display("image_viewer", "Option<String>"),
        "image_viewer",
        "shows a picture, and this output is `Option<String>`",
    );
    one(display("metric_table", "bool"), "metric_table", "shows names and numbers");
    one(display("label = \"L\"", "u8"), "display", "write `image_viewer`, `log_list` or `metric_table`");
    one(display("log_list, image_viewer", "Image"), "image_viewer", "has one display");
    one(display("log_list, max_visible = 0", "u8"), "0", "from 1 to 4294967295");
    one(display("loglist", "u8"), "loglist", "write `log_list`");
    one(display("log_list = 1", "u8"), "1", "`log_list` takes no value");
    one(outputs("struct A { #[display = 1] a: u8 }"), "=", "write `#[display(…)]`");
}

#[test]
fn what_a_build_leaves_out_may_share_a_name() {
    assert!(field("#[cfg(unix)] a: u8, #[cfg(windows)] a: u16").is_empty());
    assert!(field("#[cfg(unix)] a: u8, #[cfg(windows)] #[port(name = \"a\")] b: u8").is_empty());
    one(field("#[cfg(unix)] a: u8, #[cfg(unix)] #[port(name = \"a\")] b: u8"), "\"a\"", "both named `a`");
}
