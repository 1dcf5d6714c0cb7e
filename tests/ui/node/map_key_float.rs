use nodecast::prelude::*;

use std::collections::HashMap;

#[node]
struct Probe {
    readings: HashMap<f64, String>,
}

fn main() {}
