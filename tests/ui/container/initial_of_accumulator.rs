use nodecast::prelude::*;

#[derive(Container)]
struct Memory {
    #[state(initial = "a")]
    said: Accumulator<String>,
}

fn main() {}
