use nodecast::prelude::*;

#[derive(Container)]
struct Memory {
    #[state(max_size = 0)]
    said: Accumulator<String>,
}

fn main() {}
