//! The last value that is accepted and the first that is not, and types in every dress.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use super::{field, found, node, one, tokens};
use crate::errors::Errors;
use crate::{check, parse};

fn default(default: &str, ty: &str) -> Vec<(String, String)> {
    field(&format!("#[config(default = {default})] x: {ty}"))
}

#[test]
fn an_integer_has_the_range_of_its_type() {
    for (ty, low, high) in [
        ("i8", i128::from(i8::MIN), i128::from(i8::MAX)),
        ("i16", i16::MIN.into(), i16::MAX.into()),
        ("i32", i32::MIN.into(), i32::MAX.into()),
        ("i64", i64::MIN.into(), i64::MAX.into()),
        ("isize", i64::MIN.into(), i64::MAX.into()),
        ("u8", 0, u8::MAX.into()),
        ("u16", 0, u16::MAX.into()),
        ("u32", 0, u32::MAX.into()),
        ("u64", 0, u64::MAX.into()),
        ("usize", 0, u64::MAX.into()),
    ] {
        assert!(default(&low.to_string(), ty).is_empty(), "{ty}");
        assert!(default(&high.to_string(), ty).is_empty(), "{ty}");
        let (below, above) = ((low - 1).to_string(), (high + 1).to_string());
        one(default(&below, ty), &below, &format!("is no `{ty}`"));
        one(default(&above, ty), &above, &format!("write a default from {low} to {high}"));
    }
    // Of a type that only the compiler knows, 64 bits are known, signed or not.
    assert!(default("-9223372036854775808", "Mine").is_empty());
    assert!(default("18446744073709551615", "Mine").is_empty());
    one(default("-9223372036854775809", "Mine"), "-9223372036854775809", "does not fit 64 bits");
}

#[test]
fn a_float_is_finite_in_its_type() {
    assert!(default("340282346638528859811704183484516925440.0", "f32").is_empty());
    assert!(default("1e39", "f64").is_empty());
    one(default("1e999", "f64"), "1e999", "write a finite one");
    one(default("1e999", "Mine"), "1e999", "write a finite one");
    one(default("1e999", "u8"), "1e999", "write a finite one");
    one(default("-1e39", "f32"), "-1e39", "too large for `f32`");
}

#[test]
fn bounds_may_meet_but_not_cross() {
    assert!(field("#[config(number(min = 3, max = 3), default = 3)] x: u8").is_empty());
    assert!(field("#[config(slider(min = 0, max = 4, step = 4), default = 4)] x: u8").is_empty());
    assert!(field("#[config(slider(min = 0, max = 255), default = 255)] x: u8").is_empty());
    assert!(field("#[config(slider(min = -128, max = 127), default = -128)] x: i8").is_empty());
    one(field("#[config(slider(min = -129, max = 0), default = 0)] x: i8"), "-129", "write a bound from -128 to 127");
    one(field("#[config(slider(min = 0, max = 9, step = 0.5), default = 1)] x: u8"), "0.5", "without a fraction");
    // A millionth of a step is a place between two.
    one(field("#[config(slider(min = 0, max = 1, step = 1), default = 0.000001)] x: f64"), "0.000001", "write 0 or 1");
    assert!(field("#[config(slider(min = 0, max = 1, step = 1), default = 0.0000009)] x: f64").is_empty());
}

#[test]
fn a_name_may_have_64_characters() {
    assert!(node(&format!("name = \"{}\"", "a".repeat(64)), "struct A;").is_empty());
}

#[test]
fn types_are_seen_through_boxes_lists_and_parentheses() {
    one(field("a: [i128; 2]"), "i128", "128 bits");
    one(field("a: Box<[i128]>"), "i128", "128 bits");
    one(field("a: Box<[u8]>"), "[u8]", "write `Bytes`");
    assert!(field("a: Box<[u16]>, b: [u16; 2], c: (u8), d: (Vec<u16>)").is_empty());
    one(field("a: &'static Mode"), "&'static Mode", "write `Mode`");
    one(field("a: (Option<(Option<u8>)>)"), "(Option<u8>)", "one null");
    one(field("a: BTreeMap<(f64), u8>"), "(f64)", "`(f64)` is none");
    one(field("#[port(as_string, nan = \"null\")] a: u128"), "nan", "`u128` has none");
    one(field("#[port(as_string)] a: Box<[f32]>"), "as_string", "has none");
    one(field("#[port(as_string)] a: ((f32))"), "as_string", "has none");
    one(field("#[port(nan = \"null\")] a: Box<[(Option<f32>)]>"), "(Option<f32>)", "write `f32`");
    one(field("#[port(header = \"A\")] a: Box<[u16]>"), "\"A\"", "a header carries");
    one(field("#[port(header = \"A\")] a: ([u16; 2])"), "\"A\"", "a header carries");
    // A type of a trait has a name of its own, whatever it ends in.
    assert!(default("1", "<A as B>::String").is_empty());
}

/// A type that comes from a `macro_rules!` stands in a group without signs.
#[test]
fn types_are_seen_through_the_groups_of_macros() {
    let case = |attribute: &str, ty: &str| {
        let mut fields: TokenStream = tokens(&format!("{attribute} a:"));
        fields.extend([TokenTree::from(Group::new(Delimiter::None, tokens(ty)))]);
        let mut item = tokens("struct Probe");
        item.extend([TokenTree::from(Group::new(Delimiter::Brace, fields))]);
        let mut errors = Errors::default();
        let (_, model) = parse::node(&mut errors, TokenStream::new(), item);
        check::node(&mut errors, &model.unwrap());
        found(errors).into_iter().map(|(_, message)| message).collect::<Vec<_>>().join("; ")
    };
    assert_eq!(case("", "u16"), "");
    assert!(case("", "Vec<u8>").contains("write `Bytes`"));
    assert!(case("#[config(default = 300)]", "u8").contains("is no `u8`"));
    assert!(case("#[port(as_string)]", "f32").contains("`f32` has none"));
    assert!(case("#[port(nan = \"null\")]", "Option<f32>").contains("null is NaN"));
    assert!(case("#[port(header = \"A\")]", "Vec<u16>").contains("a header carries"));
}
