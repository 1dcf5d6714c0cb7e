//! Enums, tagged from outside: `{"Variant": content}`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::structs::Plain;
use crate::Case;

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Flattened<T> {
    q: String,
    #[serde(flatten)]
    inner: T,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct MaybeFlattened<T> {
    q: Option<u8>,
    #[serde(flatten)]
    inner: Option<T>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Field<T> {
    inner: T,
    maybe: Option<T>,
}

/// The type by itself and in every place where an enum may stand.
macro_rules! everywhere {
    ($($ty:ty),* $(,)?) => {
        [$(crate::cases![
            $ty,
            Vec<$ty>,
            Option<$ty>,
            std::collections::BTreeMap<String, $ty>,
            (u8, $ty),
            crate::enums::Field<$ty>,
        ]),*].into_iter().flatten().collect::<Vec<_>>()
    };
}
/// The type flattened, where that is possible.
macro_rules! flattened {
    ($($ty:ty),* $(,)?) => {
        [$(crate::cases![crate::enums::Flattened<$ty>, crate::enums::MaybeFlattened<$ty>]),*]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
    };
}
pub(crate) use {everywhere, flattened};

/// Every shape of content.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) enum External {
    Unit,
    New(u8),
    Maybe(Option<String>),
    Tuple(u8, bool),
    Struct { a: i16, b: Option<String> },
    Of(Plain),
    List(Vec<u8>),
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Units {
    First,
    /// The second of them.
    SecondOne,
    #[serde(rename = "3rd")]
    Third,
    #[serde(skip)]
    Hidden,
}

/// `faults.md` B05: one variant, flattened into a closed struct.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) enum OnlyOne {
    Variant(String),
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) enum OnlyUnit {
    Lonely,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) enum Structs {
    A { x: u8 },
    B { x: String, y: BTreeMap<u8, bool> },
    Empty {},
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) enum Nested {
    Inner(External),
    Pair(Units, Box<Nested>),
    End,
}

/// `faults.md` B06: two flattened enums in one struct.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct TwoFlattened {
    #[serde(flatten)]
    one: OnlyOne,
    #[serde(flatten)]
    other: Structs,
}

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = everywhere![External, Units, OnlyOne, OnlyUnit, Structs, Nested];
    cases.extend(flattened![External, OnlyOne, Structs]);
    cases.extend(crate::cases![TwoFlattened, Result<External, Units>]);
    cases
}
