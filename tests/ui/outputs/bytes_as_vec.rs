use nodecast::prelude::*;

#[derive(Outputs)]
struct Greeting {
    sound: Vec<u8>,
}

fn main() {}
