use nodecast::prelude::*;

#[derive(Outputs)]
union Greeting {
    short: u8,
    long: u64,
}

fn main() {}
