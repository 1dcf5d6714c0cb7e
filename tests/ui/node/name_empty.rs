use nodecast::prelude::*;

#[node(name = "")]
struct Probe;

fn main() {}
