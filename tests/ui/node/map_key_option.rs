use nodecast::prelude::*;

use std::collections::BTreeMap;

#[node]
struct Probe {
    readings: BTreeMap<Option<String>, f64>,
}

fn main() {}
