use nodecast::prelude::*;

#[node]
struct Probe {
    #[port(nan = "null")]
    count: Vec<u32>,
}

fn main() {}
