use nodecast::prelude::*;

#[node]
struct Probe {
    check: fn(f32) -> bool,
}

fn main() {}
