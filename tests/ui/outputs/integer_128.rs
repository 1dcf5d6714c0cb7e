use nodecast::prelude::*;

#[derive(Outputs)]
struct Greeting {
    number: u128,
}

fn main() {}
