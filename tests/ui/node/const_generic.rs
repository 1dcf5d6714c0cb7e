use nodecast::prelude::*;

#[node]
struct Probe<const N: usize> {
    text: String,
}

fn main() {}
