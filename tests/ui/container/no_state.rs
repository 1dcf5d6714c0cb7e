use nodecast::prelude::*;

#[derive(Container)]
struct Memory {
    mood: String,
}

fn main() {}
