use nodecast::prelude::*;

#[node(read_only = "yes")]
struct Probe;

fn main() {}
