use nodecast::prelude::*;

#[derive(NodeError)]
union GreetError {
    short: u8,
    long: u64,
}

fn main() {}
