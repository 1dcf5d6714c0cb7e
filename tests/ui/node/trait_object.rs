use nodecast::prelude::*;

#[node]
struct Probe {
    check: Box<dyn Fn(f32) -> bool>,
}

fn main() {}
