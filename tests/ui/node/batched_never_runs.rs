use nodecast::prelude::*;

#[node(batched(concurrency = 0))]
struct Probe;

fn main() {}
