use nodecast::prelude::*;

#[node]
struct Probe {
    #[port(name = "")]
    depth: f32,
}

fn main() {}
