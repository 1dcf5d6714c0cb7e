//! Lists, sets, tuples, arrays and maps, with keys of every kind that JSON can write.

#![allow(clippy::zero_sized_map_values, reason = "a value without content is one of the cases")]

use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::num::NonZeroU16;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Case, cases};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub(crate) enum Side {
    Left,
    Right,
}

/// Whose variants have docs, which makes another schema of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Way {
    /// Towards the top.
    UpWards,
    DownWards,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Id(u32);

#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Point {
    x: i8,
    y: Option<i8>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Pair(u8, String);

pub(crate) fn cases() -> Vec<Case> {
    cases![
        Vec<u8>,
        Vec<bool>,
        Vec<String>,
        Vec<f64>,
        Vec<Option<i16>>,
        Vec<Vec<u8>>,
        Vec<()>,
        Vec<Point>,
        Option<Vec<u64>>,
        Option<Vec<Option<String>>>,
        VecDeque<i32>,
        LinkedList<char>,
        BinaryHeap<u8>,
        Box<[u16]>,
        BTreeSet<u8>,
        BTreeSet<String>,
        BTreeSet<Side>,
        BTreeSet<Point>,
        BTreeSet<Vec<u8>>,
        BTreeSet<Option<bool>>,
        HashSet<String>,
        HashSet<i64>,
        Option<BTreeSet<i8>>,
        Vec<BTreeSet<char>>,
        [u8; 0],
        [u8; 1],
        [String; 3],
        [Option<bool>; 2],
        [[f32; 3]; 3],
        Vec<[i8; 2]>,
        (u8,),
        (u8, String),
        (bool, f64, Option<char>),
        ((u8, u8), [String; 1]),
        Option<(i32, i32)>,
        Vec<(String, u8)>,
        Pair,
        Vec<Pair>,
        Side,
        Way,
        Option<Side>,
        Option<Way>,
        Vec<Way>,
        BTreeMap<String, u8>,
        BTreeMap<String, f64>,
        BTreeMap<String, Option<Point>>,
        BTreeMap<String, Vec<BTreeMap<String, bool>>>,
        HashMap<String, f64>,
        HashMap<String, String>,
        BTreeMap<char, u8>,
        BTreeMap<bool, u8>,
        BTreeMap<u8, bool>,
        BTreeMap<u16, String>,
        BTreeMap<u32, Vec<u8>>,
        BTreeMap<u64, [(); 2]>,
        BTreeMap<i8, u8>,
        BTreeMap<i32, Option<u8>>,
        BTreeMap<i64, f32>,
        BTreeMap<usize, Point>,
        BTreeMap<NonZeroU16, u8>,
        BTreeMap<Id, u8>,
        BTreeMap<Side, u8>,
        BTreeMap<Way, u8>,
        HashMap<u32, String>,
        HashMap<Side, Vec<Side>>,
        Option<BTreeMap<u8, u8>>,
        Vec<BTreeMap<i16, bool>>,
        BTreeMap<u8, BTreeMap<bool, BTreeMap<char, u8>>>,
    ]
}
