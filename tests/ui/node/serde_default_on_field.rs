use nodecast::prelude::*;

#[node]
struct Probe {
    #[serde(default)]
    depth: f32,
}

fn main() {}
