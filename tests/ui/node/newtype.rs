use nodecast::prelude::*;

#[node]
struct Probe(String, u32);

fn main() {}
