use nodecast::prelude::*;

use std::collections::BTreeMap;

#[node]
struct Place {
    board: BTreeMap<(i32, i32), String>,
}

fn main() {}
