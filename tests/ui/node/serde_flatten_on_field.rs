use nodecast::prelude::*;

#[node]
struct Probe {
    #[serde(flatten)]
    depth: f32,
}

fn main() {}
