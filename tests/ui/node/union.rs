use nodecast::prelude::*;

#[node]
union Probe {
    depth: f32,
    height: f32,
}

fn main() {}
