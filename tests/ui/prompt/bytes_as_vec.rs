use nodecast::prelude::*;

#[prompt]
struct Show {
    picture: Vec<u8>,
}

fn main() {}
