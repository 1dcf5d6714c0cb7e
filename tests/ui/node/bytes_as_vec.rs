use nodecast::prelude::*;

#[node]
struct Store {
    content: Option<Vec<u8>>,
}

fn main() {}
