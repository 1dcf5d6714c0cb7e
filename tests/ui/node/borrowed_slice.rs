use nodecast::prelude::*;

#[node]
struct Probe {
    depths: &'static [f32],
}

fn main() {}
