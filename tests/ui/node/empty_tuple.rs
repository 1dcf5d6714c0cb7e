use nodecast::prelude::*;

#[node]
struct Probe();

fn main() {}
