use nodecast::prelude::*;

#[node]
struct Probe {
    #[port(nan = "null")]
    depth: Option<f64>,
}

fn main() {}
