use nodecast::prelude::*;

#[node]
struct Probe {
    #[config(default = 1)]
    seed: u128,
}

fn main() {}
