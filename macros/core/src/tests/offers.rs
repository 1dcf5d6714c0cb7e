//! Resources, prompts, and the words that they share with nodes and nodesets.

use super::{found, node, nodeset, one, outputs, tokens};
use crate::errors::Errors;
use crate::model::{CacheScope, IconTheme, Resource, TaskMode, Value};
use crate::{check, parse};

pub(super) fn resource(args: &str, item: &str) -> Vec<(String, String)> {
    let mut errors = Errors::default();
    let (_, model) = parse::resource(&mut errors, tokens(args), tokens(item));
    if let Some(model) = model {
        check::resource(&mut errors, &model);
    }
    found(errors)
}

pub(super) fn prompt(args: &str, item: &str) -> Vec<(String, String)> {
    let mut errors = Errors::default();
    let (_, model) = parse::prompt(&mut errors, tokens(args), tokens(item));
    if let Some(model) = model {
        check::prompt(&mut errors, &model);
    }
    found(errors)
}

fn model(args: &str, item: &str) -> Resource {
    let mut errors = Errors::default();
    let (_, model) = parse::resource(&mut errors, tokens(args), tokens(item));
    assert!(errors.finish().is_none());
    model.unwrap()
}

/// A resource of this URI with these fields.
fn uri(uri: &str, fields: &str) -> Vec<(String, String)> {
    resource(&format!("uri = {uri:?}"), &format!("struct Probe {{ {fields} }}"))
}

#[test]
fn what_is_said_reaches_the_model() {
    let said = model(
        "uri = \"a://b/{c}\", name = \"n\", title = \"T\", mime = \"text/plain\", ttl_ms = 0, cache_scope = \"private\", \
         icons(\"https://x\", icon(src = \"data:,\", theme = \"light\", size = \"any\", mime = \"image/png\")), \
         meta(\"x.y/z\" = -1, \"w\" = true)",
        "/// Doc.\n#[deprecated] struct A { #[argument(title = \"C\")] #[complete(x::Y)] c: u8 }",
    );
    assert_eq!((said.uri.value(), said.name.text, said.ttl_ms), ("a://b/{c}".to_owned(), "n".to_owned(), Some(0)));
    assert_eq!((said.cache_scope, said.icons.len()), (Some(CacheScope::Private), 2));
    assert_eq!(said.icons[1].theme, Some(IconTheme::Light));
    assert_eq!((&said.meta[0].value.value, &said.meta[1].value.value), (&Value::Int(-1), &Value::Bool(true)));
    assert!(said.deprecated.is_some() && said.fields[0].title.is_some());
    assert!(said.fields[0].complete.as_ref().is_some_and(|complete| complete.by.is_some()));
    let mut errors = Errors::default();
    let (_, node) = parse::node(&mut errors, tokens("task = \"required\", waits, fallback"), tokens("struct A;"));
    let node = node.unwrap();
    assert_eq!((node.task, node.waits, node.fallback), (Some(TaskMode::Required), true, true));
    let args = tokens("page_size = 1000, ttl_ms = 4294967295, resources(A, b::C), prompts(#[cfg(x)] D)");
    let (_, set) = parse::nodeset(&mut errors, args, tokens("struct S;"));
    let set = set.unwrap();
    assert_eq!((set.page_size, set.ttl_ms), (Some(1000), Some(u32::MAX)));
    assert_eq!((set.resources.len(), set.prompts.len()), (2, 1));
    assert!(errors.finish().is_none());
}

#[test]
fn a_uri_and_its_fields_agree() {
    assert!(uri("a://b", "").is_empty());
    assert!(uri("urn:isbn:{number}", "number: u64").is_empty());
    assert!(
        uri("a+b-c.1://{größe}/{x_1}.json?y={z}", "größe: u8, x_1: Mode, #[argument(name = \"z\")] r#type: bool")
            .is_empty()
    );
    one(uri("a://{b}", ""), "\"a://{b}\"", "add one, such as `b: String`");
    one(uri("a://b", "b: u8"), "b", "write `{b}` in `uri`, or remove the field");
    one(uri("a://{b}", "b: Option<u8>"), "Option<u8>", "write `u8`");
    one(uri("a://{b}/{b}", "b: u8"), "\"a://{b}/{b}\"", "stands in the URI twice");
    one(uri("a://{b}{c}", "b: u8, c: u8"), "\"a://{b}{c}\"", "where the variable before `{c}` ends");
    for wrong in ["a://{+b}", "a://{b*}", "a://{b:3}", "a://{b,c}", "a://{?b}", "a://{b.c}"] {
        one(uri(wrong, "b: u8"), &format!("{wrong:?}"), "more than a template of level 1 has");
    }
    for wrong in ["a://{b", "a://b}", "a://{", "a://}{b}"] {
        one(uri(wrong, "b: u8"), &format!("{wrong:?}"), "stands in braces");
    }
    one(uri("a://{}", ""), "\"a://{}\"", "has a name");
    for wrong in ["menu", "//menu", "", "1a://b", ":b"] {
        one(uri(wrong, ""), &format!("{wrong:?}"), "begins with a scheme");
    }
    one(uri("nodecast://contract", ""), "\"nodecast://contract\"", "a scheme of your own");
    one(uri("a://b c", ""), "\"a://b c\"", "write `%20`");
    one(uri("a://b\u{7}", ""), "\"a://b\\u{7}\"", "write `%07`");
    one(resource("", "struct A;"), "A", "a resource needs its URI");
    one(uri("a://{b}", "#[cfg(unix)] b: u8"), "#[cfg(unix)]", "the same in every build");
}

#[test]
fn fields_are_text_that_people_type() {
    one(uri("a://{b}", "#[port(title = \"B\")] b: u8"), "#[port(title = \"B\")]", "write `#[argument(…)]`");
    one(uri("a://{b}", "#[argument] #[argument] b: u8"), "#[argument]", "twice");
    one(uri("a://{b}", "#[complete] #[complete(X)] b: u8"), "#[complete(X)]", "twice");
    one(uri("a://{b}", "#[complete = 3] b: u8"), "=", "write `#[complete(…)]`");
    one(uri("a://{b}", "#[complete(3)] b: u8"), "3", "such as `#[complete(Dishes)]`");
    one(uri("a://{b}", "#[completes] b: u8"), "completes", "write `#[complete]`");
    one(uri("a://{b}", "#[serde(default)] b: u8"), "serde", "write `Option<T>`");
    one(uri("a://{b}", "#[serde(rename = \"c\")] b: u8"), "serde", "write `#[argument(name = \"…\")]`");
    one(uri("a://{b}", "#[cfg_attr(x, complete)] b: u8"), "complete", "does not reach the table");
    one(prompt("", "struct A { #[argument(wire = \"TEXT\")] b: u8 }"), "wire", "expected `name` or `title`");
    one(prompt("", "struct A { b: u8, #[argument(name = \"b\")] c: u8 }"), "\"b\"", "`#[argument(name = \"…\")]`");
    one(prompt("", "struct A { b: Vec<u8> }"), "Vec<u8>", "write `Bytes`");
    assert!(prompt("", "struct A { b: u128, #[cfg(x)] c: Option<Vec<i128>>, #[allow(x)] d: char }").is_empty());
    one(node("", "struct A { #[complete] b: u8 }"), "#[complete]", "remove it");
    one(node("", "struct A { #[argument] b: u8 }"), "#[argument]", "write `#[port(…)]`");
    one(outputs("struct A { #[complete(X)] b: u8 }"), "#[complete(X)]", "remove it");
}

#[test]
fn items_of_another_kind_are_pointed_at() {
    one(resource("uri = \"a://b\"", "enum A { B }"), "enum", "goes on a struct");
    one(prompt("", "union A { b: u8 }"), "union", "goes on a struct");
    one(prompt("", "fn a() {}"), "fn", "`#[prompt]` goes on a struct");
    one(prompt("", "struct A(u8);"), "(u8)", "a prompt needs named fields");
    one(prompt("", "struct A();"), "()", "write `;`");
    one(prompt("", "struct A<T> { b: T }"), "T", "a prompt cannot be generic");
    one(prompt("", "struct A<'a> { b: &'a str }"), "'a", "write `String`");
    one(prompt("name = \"a b\"", "struct A;"), "\"a b\"", "the name of a prompt");
}

#[test]
fn icons_and_meta_are_what_the_protocol_says() {
    let icons = |text: &str| node(&format!("icons({text})"), "struct A;");
    assert!(
        icons("\"https://x/y.svg\", \"data:image/png;base64,AA==\", icon(src = \"http://x\", size = \"1x1\")")
            .is_empty()
    );
    one(icons("\"x.svg\""), "\"x.svg\"", "clients load icons from `https://…`");
    one(icons("icon(src = \"https://x\", size = \"48\")"), "\"48\"", "write `size = \"48x48\"`");
    one(icons("icon(src = \"https://x\", mime = \"png\")"), "\"png\"", "is no media type");
    one(icons("icon(src = \"https://x\", theme = \"drak\")"), "\"drak\"", "write `\"dark\"`");
    one(icons("icon(theme = \"dark\")"), "icon", "needs its address");
    one(icons("icon(color = \"red\")").into_iter().take(1).collect(), "color", "unknown argument `color` of `icon`");
    one(icons("3"), "3", "expected an icon");
    one(node("icons", "struct A;"), "icons", "takes a list");
    let meta = |text: &str| nodeset(&format!("meta({text})"), "struct A;");
    assert!(
        meta("\"a\" = 1, \"a.b/c\" = \"x\", \"a-1.b/c_d.e\" = 1.5, \"com.modelcontextprotocolx/a\" = true").is_empty()
    );
    for reserved in ["io.modelcontextprotocol/x", "dev.mcp/x", "dev.mcp.y/x", "nodecast/waits", "traceparent"] {
        one(meta(&format!("\"{reserved}\" = 1")), &format!("\"{reserved}\""), "is kept for the protocol and for us");
    }
    for malformed in ["", "a b", "/a", "a/", "1a/b", "a-/b", "_a", "a_", "a..b/c", "ä"] {
        one(meta(&format!("\"{malformed}\" = 1")), &format!("\"{malformed}\""), "is no key of `_meta`");
    }
    one(meta("\"a\" = 1, \"a\" = 2"), "\"a\"", "twice");
    one(meta("\"a\" = 1e999"), "1e999", "does not fit 64 bits");
    one(meta("\"a\" = -9223372036854775809"), "-9223372036854775809", "does not fit 64 bits");
    assert!(meta("\"a\" = 18446744073709551615").is_empty());
    one(meta("\"a\" = x"), "x", "expected a literal");
    one(meta("a = 1"), "a = 1", "expected a member");
    one(nodeset("meta = \"x\"", "struct A;"), "meta", "in a list");
}

#[test]
fn bounds_and_choices_are_named() {
    one(nodeset("page_size = 0", "struct A;"), "0", "from 1 to 1000; write 1");
    one(nodeset("page_size = 1001", "struct A;"), "1001", "write 1000");
    one(nodeset("ttl_ms = -1", "struct A;"), "-1", "from 0 to 4294967295");
    one(nodeset("cache_scope = \"shared\"", "struct A;"), "\"shared\"", "write `\"public\"` or `\"private\"`");
    one(node("task = \"optinal\"", "struct A;"), "\"optinal\"", "write `\"optional\"`");
    one(node("task", "struct A;"), "task", "write `task = \"…\"`");
    one(node("waits = true", "struct A;"), "true", "takes no value");
    one(nodeset("resources = [A]", "struct A;"), "resources", "write `resources(First, Second)`");
    one(nodeset("prompts(\"a\")", "struct A;"), "\"a\"", "the path of a prompt struct, such as `PlanDinner`");
    one(nodeset("resources(B, B)", "struct A;"), "B", "`B` is listed twice in `resources(…)`");
    one(nodeset("resources(#[allow(x)] B)", "struct A;"), "#[allow(x)]", "the struct of the resource");
    // One struct may be both.
    assert!(nodeset("nodes(B), resources(B), prompts(B)", "struct A;").is_empty());
    one(resource("uri = \"a://b\", mime = \"text\"", "struct A;"), "\"text\"", "such as `mime = \"text/markdown\"`");
    assert!(resource("uri = \"a://b\", mime = \"text/plain; charset=utf-8\"", "struct A;").is_empty());
}
