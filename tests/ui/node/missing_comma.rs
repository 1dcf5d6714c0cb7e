use nodecast::prelude::*;

#[node(read_only idempotent)]
struct Probe;

fn main() {}
