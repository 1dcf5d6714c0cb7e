//! Types that contain themselves.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::enums::{Flattened, everywhere};
use crate::Case;

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Tree {
    value: u8,
    kids: Vec<Tree>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Chain {
    next: Option<Box<Chain>>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Folder {
    folders: BTreeMap<String, Folder>,
    files: Option<Vec<File>>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct File {
    name: String,
    of: Option<Box<Folder>>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) enum Expression {
    Number(f64),
    Not(Box<Expression>),
    Sum(Vec<Expression>),
    If { condition: Box<Expression>, then: Box<Expression>, otherwise: Option<Box<Expression>> },
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "op", rename_all = "snake_case")]
pub(crate) enum Filter {
    All { of: Vec<Filter> },
    Not { of: Box<Filter> },
    Is { key: String, value: Option<i32> },
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Nest {
    Leaf(i8),
    Branch(Vec<Nest>),
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "t", content = "c")]
pub(crate) enum Beside {
    End,
    More(Box<Beside>),
    Two(Box<Beside>, Box<Beside>),
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Lists(Vec<Lists>);

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Wrapped<T> {
    value: T,
    more: Option<Box<Wrapped<T>>>,
}

/// What a flattened part contains is the whole again.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Loop {
    #[serde(flatten)]
    part: LoopPart,
    own: Option<u8>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct LoopPart {
    kids: Vec<Loop>,
}

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = everywhere![Expression, Filter, Nest, Beside];
    cases.extend(crate::cases![
        Tree,
        Vec<Tree>,
        Option<Tree>,
        Chain,
        Folder,
        File,
        Lists,
        Wrapped<u8>,
        Wrapped<Vec<Tree>>,
        Loop,
        Flattened<Tree>,
        Flattened<Filter>,
        BTreeMap<String, Chain>,
        (Chain, Tree),
    ]);
    cases
}
