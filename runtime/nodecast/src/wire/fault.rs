//! serde's errors as errors of the wire: kinds, pointers, and sentences without the names of Rust types.

use std::fmt::Display;

use serde::de::{self, Expected, Unexpected};
use serde::ser;

use super::value::shown;
use super::{WireError, keys, native};

impl de::Error for WireError {
    fn custom<T: Display>(message: T) -> Self {
        Self::new(native::kind().unwrap_or("wrong_type"), message.to_string())
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        keys::refused(found, expected);
        Self::wrong_type(&plain(&expected.to_string()), &describe(found))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        keys::refused(found, expected);
        let kind = match found {
            Unexpected::Signed(_) | Unexpected::Unsigned(_) | Unexpected::Float(_) => "out_of_range",
            _ => "wrong_type",
        };
        let expected = bounds(&expected.to_string());
        Self::new(kind, format!("expected {expected}, got {}", describe(found))).expecting(expected)
    }

    fn invalid_length(length: usize, expected: &dyn Expected) -> Self {
        let expected = plain(&expected.to_string());
        Self::new("wrong_type", format!("expected {expected}, got {length} items")).expecting(expected)
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        keys::not_among(variant, expected);
        let options = list(expected);
        Self::new("not_an_option", format!("`{}` is not an option; expected {options}", cut(variant)))
            .expecting(options)
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        let known = list(expected);
        Self::new("unknown_field", format!("`{}` is not known here; known are {known}", cut(field)))
            .expecting(known)
            .under(field)
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new("missing_field", format!("`{field}` is missing")).under(field)
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self::new("duplicate_key", format!("`{field}` stands twice")).under(field)
    }
}

impl ser::Error for WireError {
    fn custom<T: Display>(message: T) -> Self {
        Self::new(native::kind().unwrap_or("bad_output"), message.to_string())
    }
}

/// Names for a sentence.
fn list(names: &[&str]) -> String {
    match names {
        [] => "nothing".to_owned(),
        names => names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
    }
}

/// What was sent may be long.
fn cut(text: &str) -> &str {
    text.char_indices().nth(64).and_then(|(end, _)| text.get(..end)).unwrap_or(text)
}

fn describe(found: Unexpected<'_>) -> String {
    match found {
        Unexpected::Bool(yes) => format!("the boolean {yes}"),
        Unexpected::Unsigned(number) => number.to_string(),
        Unexpected::Signed(number) => number.to_string(),
        Unexpected::Float(number) => shown(number),
        Unexpected::Char(_) | Unexpected::Str(_) => "text".to_owned(),
        Unexpected::Bytes(_) => "bytes, an array or a picture".to_owned(),
        Unexpected::Unit | Unexpected::Option => "null".to_owned(),
        Unexpected::Seq => "a list".to_owned(),
        Unexpected::Map | Unexpected::NewtypeStruct => "an object".to_owned(),
        Unexpected::Other(other) => plain(other),
        _ => "another form of the enumeration".to_owned(),
    }
}

/// What serde expected, in the words of JSON; what it says beyond its own phrases passes.
fn plain(expected: &str) -> String {
    let plain = match expected {
        "i8" | "i16" | "i32" | "i64" | "i128" | "isize" | "u8" | "u16" | "u32" | "u64" | "u128" | "usize" => {
            "an integer"
        }
        "f32" | "f64" => "a number",
        "unit" => "null",
        "a sequence" => "a list",
        "a map" => "an object",
        "a string" | "a borrowed string" | "string or map" => "text",
        "byte array" | "a byte array" => "bytes",
        other => match other.split_once(' ').unwrap_or((other, "")) {
            ("struct" | "adjacently" | "internally", _) => "an object",
            ("tuple", rest) if rest.starts_with("struct") || rest.starts_with("variant") => "a list",
            ("enum" | "variant", _) => "one of the forms of the enumeration",
            ("unit", _) => "null",
            _ if other.contains("a nonzero ") => "an integer other than 0",
            _ => other.strip_prefix("an array of length ").map_or(other, |_| other),
        },
    };
    plain.to_owned()
}

/// As [`plain`], with the range of an integer type.
fn bounds(expected: &str) -> String {
    macro_rules! ranges {
        ($($ty:ident)*) => {
            match expected {
                $(stringify!($ty) => format!("an integer from {} to {}", $ty::MIN, $ty::MAX),)*
                _ => plain(expected),
            }
        };
    }
    ranges! { i8 i16 i32 i64 isize u8 u16 u32 u64 usize }
}
