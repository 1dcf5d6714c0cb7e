//! Structs: what may be left out, what is joined, what goes through another type.

use std::collections::BTreeMap;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Case, cases};

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Plain {
    limit: u32,
    note: Option<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Empty {}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Denying {
    a: u8,
    b: Option<bool>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Defaults {
    #[serde(default)]
    count: u64,
    #[serde(default = "seven")]
    seven: u8,
    #[serde(default)]
    list: Vec<u8>,
    #[serde(default)]
    maybe: Option<i8>,
}

fn seven() -> u8 {
    7
}

#[derive(Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct AllDefaults {
    a: u8,
    b: String,
    c: Plain,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Skipping {
    #[serde(skip_serializing_if = "Option::is_none")]
    a: Option<u8>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    b: Vec<String>,
    #[serde(skip)]
    c: u8,
    #[serde(skip_deserializing)]
    d: u8,
    #[serde(skip_serializing)]
    e: Option<u8>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Flat {
    q: String,
    #[serde(flatten)]
    page: Plain,
}

/// `faults.md` B03: the type errors of a flattened option.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct MaybeFlat {
    q: String,
    #[serde(flatten)]
    page: Option<Plain>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct TwiceFlat {
    #[serde(flatten)]
    one: Flat,
    #[serde(flatten)]
    other: Denied,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Denied {
    w: Option<f32>,
    v: [u8; 2],
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct FlatMap {
    id: u8,
    #[serde(flatten)]
    rest: BTreeMap<String, u8>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct FlatValues {
    id: u8,
    #[serde(flatten)]
    rest: BTreeMap<String, serde_json::Value>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct FlatIntegers {
    id: bool,
    #[serde(flatten)]
    page: IntegerMap,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct IntegerMap {
    by_number: BTreeMap<u8, i64>,
    by_truth: BTreeMap<bool, f32>,
}

/// Through `u16`, and back.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(from = "u16", into = "u16")]
pub(crate) struct Through(u16);

impl From<u16> for Through {
    fn from(number: u16) -> Self {
        Self(number)
    }
}

impl From<Through> for u16 {
    fn from(Through(number): Through) -> Self {
        number
    }
}

/// What `try_from` refuses, the schema says.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "u8", into = "u8")]
#[schemars(with = "u8", extend("maximum" = 100))]
pub(crate) struct Percent(u8);

impl TryFrom<u8> for Percent {
    type Error = &'static str;

    fn try_from(number: u8) -> Result<Self, Self::Error> {
        if number <= 100 { Ok(Self(number)) } else { Err("at most 100") }
    }
}

impl From<Percent> for u8 {
    fn from(Percent(number): Percent) -> Self {
        number
    }
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Seconds {
    #[serde(with = "seconds")]
    #[schemars(with = "u32")]
    wait: Duration,
    share: Percent,
    through: Option<Through>,
}

mod seconds {
    use super::{Deserialize, Deserializer, Duration, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(wait: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        wait.as_secs().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        u32::deserialize(deserializer).map(|seconds| Duration::from_secs(seconds.into()))
    }
}

/// With a tag of its own, which is sent and not asked for.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "t")]
pub(crate) struct Tagged {
    a: u8,
    b: Option<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename = "renamed")]
pub(crate) struct TaggedGeneric<T> {
    of: T,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Generic<T> {
    value: T,
    others: Vec<T>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Options {
    a: Option<u8>,
    b: Option<Vec<Option<bool>>>,
    c: Option<Plain>,
    d: Option<(u8, Option<String>)>,
    e: Option<BTreeMap<String, Option<Plain>>>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Deep {
    a: Generic<Generic<Options>>,
    b: BTreeMap<String, Flat>,
    c: [Option<MaybeFlat>; 2],
}

pub(crate) fn cases() -> Vec<Case> {
    cases![
        Plain,
        Empty,
        Denying,
        Defaults,
        AllDefaults,
        Skipping,
        Flat,
        MaybeFlat,
        TwiceFlat,
        FlatMap,
        FlatValues,
        FlatIntegers,
        IntegerMap,
        Through,
        Percent,
        Seconds,
        Generic<u8>,
        Generic<Option<String>>,
        Generic<Plain>,
        Generic<Generic<f32>>,
        Tagged,
        Option<Tagged>,
        Vec<Tagged>,
        TaggedGeneric<u8>,
        TaggedGeneric<Tagged>,
        Options,
        Deep,
        Option<Plain>,
        Vec<Flat>,
        Option<MaybeFlat>,
        BTreeMap<String, Defaults>,
        Box<Deep>,
        (Plain, Flat),
        [Denying; 2],
    ]
}
