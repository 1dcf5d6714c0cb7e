use nodecast::prelude::*;

#[node]
struct Probe {
    #[port(as_string)]
    depth: f32,
}

fn main() {}
