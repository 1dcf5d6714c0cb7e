use nodecast::prelude::*;

#[node]
struct Probe {
    key: [u8; 32],
}

fn main() {}
