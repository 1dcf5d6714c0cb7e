use nodecast::prelude::*;

#[node]
struct Probe {
    #[cfg_attr(all(), serde(default))]
    depth: f32,
}

fn main() {}
