use nodecast::prelude::*;

#[node(batched(wait_ms = 2000))]
struct Probe;

fn main() {}
