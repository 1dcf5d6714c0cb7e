use nodecast::prelude::*;

#[node("probe")]
struct Probe;

fn main() {}
