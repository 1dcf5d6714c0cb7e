use nodecast::prelude::*;

#[node]
struct Probe {
    #[port(nan = "zero")]
    depth: f64,
}

fn main() {}
