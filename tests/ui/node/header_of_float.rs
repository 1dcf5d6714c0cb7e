use nodecast::prelude::*;

#[node]
struct Probe {
    #[port(header = "Depth")]
    depth: f32,
}

fn main() {}
