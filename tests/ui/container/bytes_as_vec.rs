use nodecast::prelude::*;

#[derive(Container)]
struct Memory {
    sound: LastWrite<Vec<u8>>,
}

fn main() {}
