use nodecast::prelude::*;

#[node(batched)]
struct Probe;

fn main() {}
