use nodecast::prelude::*;

#[node]
struct Probe {
    depths: Vec<Option<Option<f32>>>,
}

fn main() {}
