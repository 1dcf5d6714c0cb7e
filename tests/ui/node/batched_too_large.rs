use nodecast::prelude::*;

#[node(batched(max = 5000))]
struct Probe;

fn main() {}
