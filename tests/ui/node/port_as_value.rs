use nodecast::prelude::*;

#[node]
struct Probe {
    #[port = "depth"]
    depth: f32,
}

fn main() {}
