use nodecast::prelude::*;

#[node]
struct Probe {
    __ndarray__: String,
}

fn main() {}
