use nodecast::prelude::*;

#[node(unstable = true)]
struct Probe;

fn main() {}
