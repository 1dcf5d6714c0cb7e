//! Keys of maps, of every type that JSON can write, in every place where serde buffers them or hands them on.

use std::collections::{BTreeMap, HashMap};
use std::num::{NonZeroI8, NonZeroU64};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::containers::{Id, Side, Way};
use super::structs::Plain;
use crate::{Case, cases};

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Beside<K: Ord> {
    id: u8,
    note: Option<String>,
    #[serde(flatten)]
    rest: BTreeMap<K, Option<bool>>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "t")]
pub(crate) enum Inside<K: Ord> {
    Map(BTreeMap<K, u8>),
    Field { keys: BTreeMap<K, String>, list: Vec<HashMap<u16, bool>> },
    Unit,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Either<K: Ord> {
    Number(u8),
    Keys {
        #[schemars(length(min = 1))]
        name: String,
        keys: BTreeMap<K, u8>,
    },
    List(Vec<BTreeMap<K, bool>>),
}

/// What does not fit is none to serde, so that nobody hears what was wrong with a key.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Dropped {
    q: String,
    #[serde(flatten)]
    keys: Option<Held>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Held {
    by_number: BTreeMap<u8, bool>,
    by_way: HashMap<Way, Vec<BTreeMap<bool, u8>>>,
}

/// Two maps in one place, told apart by their values alone.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Both {
    Numbers(BTreeMap<u8, bool>),
    Names(BTreeMap<String, String>),
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "t", content = "c")]
pub(crate) enum Adjacent<K: Ord> {
    One(BTreeMap<K, u8>),
    Two(u8, BTreeMap<K, u8>),
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Tree {
    kids: BTreeMap<i16, Tree>,
    by_way: Option<BTreeMap<Way, Box<Tree>>>,
}

/// Keys that say what they are themselves.
#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(crate) struct Code(#[schemars(regex(pattern = "^[a-z]{2}$"))] String);

macro_rules! everywhere {
    ($($key:ty),*) => {
        [$(cases![
            BTreeMap<$key, u8>,
            Option<BTreeMap<$key, Plain>>,
            Vec<BTreeMap<$key, Vec<u8>>>,
            (u8, BTreeMap<$key, BTreeMap<$key, bool>>),
            Beside<$key>,
            Inside<$key>,
            Either<$key>,
            Adjacent<$key>,
        ]),*].into_iter().flatten().collect::<Vec<_>>()
    };
}

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = everywhere![u8, i64, bool, char, Way, Side, NonZeroI8, Id, String];
    cases.extend(cases![
        HashMap<Way, u8>,
        BTreeMap<NonZeroU64, bool>,
        BTreeMap<u128, bool>,
        BTreeMap<i128, bool>,
        BTreeMap<u8, serde_json::Value>,
        BTreeMap<Way, serde_json::Value>,
        BTreeMap<Code, u8>,
        Dropped,
        Both,
        Tree,
        Option<Tree>,
    ]);
    cases
}
