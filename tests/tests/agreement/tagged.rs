//! Enums tagged inside, beside, and not at all.

use std::collections::BTreeMap;

use nodecast::Bytes;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::enums::{External, everywhere, flattened};
use super::structs::Plain;
use crate::Case;

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "t")]
pub(crate) enum Internal {
    Unit,
    New(Plain),
    Struct { a: u8, b: Option<f32> },
    Empty {},
    Map(BTreeMap<String, u8>),
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "kebab-case", deny_unknown_fields)]
pub(crate) enum Strict {
    NoContent,
    SomeContent { first_one: i64, second_one: Vec<u8> },
}

/// With whole numbers and keys, which serde buffers without knowing what they are.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "t")]
pub(crate) enum Buffered {
    Keys { by_number: BTreeMap<u16, bool>, by_truth: Option<BTreeMap<bool, u8>> },
    Numbers { whole: i64, half: f32, both: (u8, f64) },
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "t")]
pub(crate) enum Other {
    Known {
        a: u8,
    },
    #[serde(other)]
    Unknown,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "t", content = "c")]
pub(crate) enum Adjacent {
    Unit,
    New(u8),
    Tuple(u8, String),
    Struct { a: i16, b: Option<bool> },
    Of(Plain),
    Nothing(()),
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", content = "value", rename_all = "lowercase")]
pub(crate) enum Measured {
    Length(f64),
    Count(u64),
    Names(Vec<String>),
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Untagged {
    Unit,
    Number(u8),
    Text(String),
    Pair(u8, bool),
    Struct { a: u8 },
    Other { b: String, c: Option<u8> },
}

/// `1` is the first and `1.5` the second.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Numeric {
    Whole(u8),
    Any(f64),
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum OneOrMany {
    One(Plain),
    Many(Vec<Plain>),
}

/// `faults.md` B07: an enum within an untagged one.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Around {
    Tagged(Internal),
    Beside(Adjacent),
    Outside(External),
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Structs {
    Wide { a: u8, b: u8 },
    Narrow { a: u8 },
    Keys { keys: BTreeMap<i8, u8> },
}

/// A variant that is not tagged beside those that are.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) enum Mixed {
    Tagged(u8),
    #[serde(untagged)]
    Bare(bool),
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Content {
    Raw(Bytes),
    Number(u8),
}

/// An optional enum whose tag is flattened into a struct that has a flattened struct as well.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Joined {
    #[serde(flatten)]
    page: Plain,
    #[serde(flatten)]
    tagged: Option<Strict>,
}

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = everywhere![
        Internal, Strict, Adjacent, Measured, Untagged, Numeric, OneOrMany, Around, Structs, Mixed, Content
    ];
    cases.extend(flattened![Internal, Strict, Adjacent, Measured, Structs, Buffered]);
    cases.extend(crate::cases![Buffered, Vec<Buffered>, Option<Buffered>]);
    cases.extend(crate::cases![Other, Joined, Option<Joined>]);
    cases
}
