use nodecast::prelude::*;

#[node(name = probe)]
struct Probe;

fn main() {}
