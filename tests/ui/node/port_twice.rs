use nodecast::prelude::*;

#[node]
struct Probe {
    #[port(title = "Depth")]
    #[port(wire = "ANY")]
    depth: f32,
}

fn main() {}
