//! What the attributes say reaches the model; what they cannot say is reported at its token.

use super::{field, node, node_error, nodeset, one, outputs, tokens};
use crate::errors::Errors;
use crate::model::{DocLine, Node, Role, Value, Widget};
use crate::parse;

pub(super) fn model(args: &str, item: &str) -> Node {
    let mut errors = Errors::default();
    let (_, model) = parse::node(&mut errors, tokens(args), tokens(item));
    assert!(errors.finish().is_none());
    model.unwrap()
}

fn doc(item: &str) -> String {
    let lines = model("", item).doc.lines.into_iter().map(|line| match line {
        DocLine::Text(text) => text,
        DocLine::Expr(expr) => format!("<{expr}>"),
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn names_are_snake_case_and_lose_their_raw_prefix() {
    assert_eq!(model("", "struct SegmentAuto;").name.text, "segment_auto");
    assert_eq!(model("", "struct HTTPGet;").name.text, "http_get");
    assert_eq!(model("", "struct r#Match;").name.text, "match");
    assert_eq!(model("name = \"Now\"", "struct Time;").name.text, "Now");
    let node = model("", "struct A { r#type: u8, r#async: u8, self_: u8 }");
    let names: Vec<&str> = node.fields.iter().map(|field| field.name.text.as_str()).collect();
    assert_eq!(names, ["type", "async", "self_"]);
}

#[test]
fn doc_comments_stay_verbatim_but_for_their_indent() {
    assert_eq!(
        doc("/// One.\n///\n///   Two, `code` \"quoted\" \\ back.\n///\nstruct A;"),
        "One.\n\n  Two, `code` \"quoted\" \\ back."
    );
    assert_eq!(doc("/** One.\n * Two.\n */\nstruct A;"), "One.\nTwo.");
    assert_eq!(doc("#[doc = include_str!(\"a.md\")]\nstruct A;"), "<include_str ! (\"a.md\")>");
    assert_eq!(doc("struct A;"), "");
}

#[test]
fn a_default_implies_its_widget() {
    let widget =
        |text: &str| match model("", &format!("struct A {{ #[config(default = {text})] x: X }}")).fields.remove(0).role
        {
            Role::Config(config) => (config.widget, config.default.unwrap().value),
            other => panic!("{other:?}"),
        };
    assert!(matches!(widget("true"), (Widget::Toggle, Value::Bool(true))));
    assert!(matches!(widget("-3"), (Widget::Number { .. }, Value::Int(-3))));
    assert!(matches!(widget("(-0.5)"), (Widget::Number { .. }, Value::Float(_))));
    assert!(matches!(widget("\"x\""), (Widget::Text, Value::Text(_))));
}

#[test]
fn words_are_known_single_and_complete() {
    one(node("read_olny", "struct A;"), "read_olny", "unknown argument `read_olny` of `#[node]`; write `read_only`");
    one(node("colour", "struct A;"), "colour", "expected `name`, `title`");
    one(node("\"x\"", "struct A;"), "\"x\"", "write its word before it, such as `name = \"x\"`");
    one(node("{}", "struct A;"), "{}", "`raw_schema` or `crate`");
    one(node("name", "struct A;"), "name", "`name` needs a value; write `name = \"…\"`");
    one(node("name =", "struct A;"), "=", "expected a value after `=`");
    one(node("name = 3", "struct A;"), "3", "expected a string literal");
    one(node("read_only(yes)", "struct A;"), "(", "takes no list");
    one(node("read_only = 1", "struct A;"), "1", "expected `true` or `false`");
    one(node("read_only, read_only", "struct A;"), "read_only", "duplicate argument `read_only`");
    one(node(", read_only", "struct A;"), ",", "expected an argument before `,`");
    one(node("crate = \"not a path\"", "struct A;"), "\"not a path\"", "expected the path of the crate");
    one(node("read_only idempotent", "struct A;"), "idempotent", "expected `,`, `=` or `(…)` after `read_only`");
    one(nodeset("prefx = \"a\"", "struct A;"), "prefx", "write `prefix`");
    one(nodeset("nodes = [A]", "struct A;"), "nodes", "write `nodes(First, Second)`");
    one(nodeset("nodes(\"a\")", "struct A;"), "\"a\"", "expected the path of a node struct");
    one(nodeset("nodes(#[allow(x)] A)", "struct B;"), "#[allow(x)]", "only `#[cfg(…)]` may stand in `nodes(…)`");
    one(nodeset("parallelism = \"replicate\"", "struct A;"), "\"replicate\"", "write `\"replicated\"`");
    one(nodeset("parallelism = \"both\"", "struct A;"), "\"both\"", "`\"shared\"` for none");
    one(nodeset("sessions = \"requires\"", "struct A;"), "\"requires\"", "write `\"required\"`");
    one(nodeset("sessions = \"always\"", "struct A;"), "\"always\"", "`\"none\"` or `\"kept\"` or `\"required\"`");
    one(nodeset("exclusive, modern = \"no\"", "struct A;"), "\"no\"", "write `\"reject\"`");
    one(nodeset("exclusive = \"call\"", "struct A;"), "\"call\"", "`exclusive = \"all\"`");
    one(nodeset("exclusive = 1", "struct A;"), "1", "expected `true` or `false`");
    one(nodeset("as_string = false", "struct A;"), "false", "takes no value");
    one(node_error("enum E { #[node_error(retry)] A }"), "retry", "unknown argument `retry`");
    one(node_error("#[node_error(retryable)] enum E { A }"), "retryable", "move it to a variant");
    one(node_error("#[node_error(name = \"a\")] enum E { A }"), "name", "move it to a variant");
    assert!(node_error("#[node_error(name = \"a\", retryable)] struct E;").is_empty());
    one(outputs("#[outputs(name = \"x\")] struct A {}"), "name", "expected `crate`");
}

#[test]
fn words_of_other_libraries_lead_to_ours() {
    let bounds = "write `slider(min = …, max = …)` or `number(min = …)`";
    one(node("description = \"x\"", "struct A;"), "description", "write `/// …`");
    one(nodeset("doc = \"x\"", "struct A;"), "doc", "write `/// …`");
    one(field("#[port(desc = \"x\")] x: u8"), "desc", "write `/// …`");
    one(field("#[port(optional)] x: u8"), "optional", "write `Option<…>`");
    one(field("#[port(required = false)] x: u8"), "required", "write `Option<…>`");
    one(field("#[port(default = 3)] x: u8"), "default", "write `#[config(default = …)]`");
    one(field("#[config(min = 0, default = 1)] x: u8"), "min", bounds);
    one(field("#[config(range = 3, default = 1)] x: u8"), "range", bounds);
    one(field("#[config(choices(\"a\"), default = \"a\")] x: String"), "choices", "write `select(\"a\", \"b\")`");
    one(field("#[config(select(1), default = 1)] x: u8"), "1", "write `number(min = …, max = …)` for a number");
    one(field("#[config(slider(0.0, max = 1.0), default = 0.5)] x: f32"), "0.0", "such as `min = 0.0`");
    one(field("#[config(select, default = Mode::Fast)] x: Mode"), "Mode::Fast", "write `\"Fast\"`");
    one(field("#[config(select, default = a::Mode::r#in)] x: Mode"), "a::Mode::r#in", "write `\"in\"`");
    one(field("#[config(default = LIMIT)] x: u8"), "LIMIT", "expected a literal");
    one(field("#[config(default = u8::MAX)] x: Option<u8>"), "u8::MAX", "expected a literal");
    one(field("#[config(default = f64::NAN)] x: f64"), "f64::NAN", "expected a literal");
    // A `char` is text of one character.
    assert!(field("#[config(default = 'x')] x: char").is_empty());
    one(field("#[config(default = 'x')] x: u8"), "'x'", "write a number");
}

#[test]
fn items_of_another_kind_are_pointed_at_by_their_keyword() {
    one(node("", "enum A { B }"), "enum", "goes on a struct");
    one(node("", "union A { b: u8 }"), "union", "goes on a struct");
    one(node("", "enum r#Match { B }"), "enum", "such as `choice: r#Match`");
    one(node("", "fn a() {}"), "fn", "write `struct A;`, and `run` in `impl Node<…> for A`");
    one(
        node("", "async fn cut_out(image: Image, r#in: &[u8], (a, b): X) {}"),
        "async",
        "write `struct CutOut { image: Image, r#in: &[u8] }`",
    );
    one(node("", "mod a {}"), "mod", "goes on the struct of a node's arguments");
    one(node("", "#[doc = \"A.\"] pub(crate) trait A {}"), "trait", "goes on the struct of a node's arguments");
    one(node("", "struct A(u8);"), "(u8)", "write `{ name: Type }`");
    one(node("", "struct A();"), "()", "write `;` in place of `()`");
    one(node("", "struct A<T> { x: T }"), "T", "cannot be generic");
    one(node("", "struct A<const N: usize> { x: u8 }"), "const N: usize", "cannot be generic");
    one(node("", "struct A where u8: Copy { x: u8 }"), "where u8: Copy", "cannot have a `where` clause");
    one(nodeset("", "fn a() {}"), "fn", "goes on the struct that its nodes share");
    one(nodeset("", "#[doc = \"A.\"] pub fn a() {}"), "fn", "goes on the struct that its nodes share");
    one(outputs("enum A { B }"), "enum", "goes on a struct");
    one(node_error("union A { b: u8 }"), "union", "goes on an enum");
}

#[test]
fn fields_have_one_role_and_no_attributes_that_do_nothing() {
    one(field("#[port] #[port] x: u8"), "#[port]", "twice");
    one(field("#[port] #[config(default = 1)] x: u8"), "#[config(default = 1)]", "not both");
    one(field("#[port = 3] x: u8"), "=", "expected a list; write `#[port(…)]`");
    one(field("#[serde(rename = \"y\")] x: u8"), "serde", "write `#[port(name = \"…\")]`");
    one(field("#[serde(default)] x: u8"), "serde", "write `#[config(default = …)]`");
    one(field("#[serde(flatten)] x: X"), "serde", "put it on a struct of its own");
    one(field("#[cfg_attr(a, serde(default))] x: u8"), "serde", "write `#[config(default = …)]`");
    one(field("#[cfg_attr(a, cfg_attr(b, port(title = \"X\")))] x: u8"), "port", "two versions of the field");
    one(field("#[cfg_attr(a, allow(x), cfg(b))] x: u8"), "cfg", "write `#[cfg(any(not(a), b))]`");
    one(
        field("#[cfg_attr(a, cfg_attr(feature = \"b\", cfg(not(c))))] x: u8"),
        "cfg",
        "write `#[cfg(any(not(all(a, feature = \"b\")), not(c)))]`",
    );
    one(field("#[cfg_attr(a, cfg)] x: u8"), "cfg", "does not reach the table");
    one(field("#[cfg_attr(a, deprecated)] x: u8"), "deprecated", "does not reach the table");
    one(field("#[cfg_attr(a, doc = \"x\")] x: u8"), "doc", "does not reach the table");
    assert!(field("#[cfg(unix)] #[cfg_attr(docsrs, doc(cfg(unix)))] #[cfg_attr(a, allow(x))] x: u8").is_empty());
    one(field("#[display(log_list)] x: u8"), "#[display(log_list)]", "move it to the field");
    one(outputs("struct A { #[port] #[port] x: u8 }"), "#[port]", "twice");
    one(outputs("struct A { #[display(log_list)] #[display(log_list)] x: u8 }"), "#[display(log_list)]", "twice");
    one(field("#[prot(name = \"y\")] x: u8"), "prot", "write `#[port]`");
    one(
        outputs("struct A { #[config(default = 1)] x: u8 }"),
        "#[config(default = 1)]",
        "an output has no configuration",
    );
    assert!(field("#[doc = \"x\"] #[allow(unused)] x: u8").is_empty());
}

#[test]
fn config_says_what_it_lacks() {
    one(field("#[config] x: u8"), "config", "write `default = 1`, or the type `Option<u8>`");
    one(field("#[config(number)] x: f32"), "config", "write `default = 0.5`, or the type `Option<f32>`");
    one(field("#[config(toggle)] x: bool"), "config", "write `default = false`");
    one(field("#[config(text)] x: String"), "config", "write `default = \"…\"`");
    one(field("#[config(select)] x: Mode"), "config", "write `default = …`");
    one(field("#[config] x: Option<u8>"), "config", "needs a widget: `select`, `slider`");
    one(field("#[config(text, toggle, default = true)] x: bool"), "toggle", "has one widget");
    one(field("#[config(slider(min = 1), default = 1)] x: u8"), "slider", "needs both ends");
    one(field("#[config(slider = 3, default = 1)] x: u8"), "3", "takes its bounds in a list");
    one(field("#[config(slider(min = a, max = 3), default = 1)] x: u8"), "a", "expected a literal");
    one(field("#[config(slider(min = f32::NAN, max = 3), default = 1)] x: f32"), "f32::NAN", "expected a literal");
    one(field("#[config(slider(min = 0, max = 1e999), default = 1)] x: f32"), "1e999", "too large for 64 bits");
    one(field("#[config(toggle(), default = true)] x: bool"), "(", "`toggle` takes no list");
    one(field("#[config(select(), default = \"a\")] x: String"), "select", "needs an option");
    one(field("#[config(select(a), default = \"a\")] x: String"), "a", "expected an option");
    one(field("#[config(text, default = \"a\", section = \"modle\")] x: String"), "\"modle\"", "write `\"model\"`");
    one(field("#[config(default = -\"a\")] x: String"), "-\"a\"", "expected a literal");
    one(
        field("#[config(default = 340282366920938463463374607431768211456)] x: u64"),
        "340282366920938463463374607431768211456",
        "number too large",
    );
}
