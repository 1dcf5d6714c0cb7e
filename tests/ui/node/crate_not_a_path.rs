use nodecast::prelude::*;

#[node(crate = "my nodecast")]
struct Probe;

fn main() {}
