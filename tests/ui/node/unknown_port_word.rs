use nodecast::prelude::*;

#[node]
struct Probe {
    #[port(nmae = "deep")]
    depth: f32,
}

fn main() {}
