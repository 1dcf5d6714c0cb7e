use nodecast::prelude::*;

#[node]
struct Count {
    to: u128,
}

fn main() {}
