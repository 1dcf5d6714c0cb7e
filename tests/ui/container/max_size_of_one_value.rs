use nodecast::prelude::*;

#[derive(Container)]
struct Memory {
    #[state(max_size = 3)]
    mood: LastWrite<String>,
}

fn main() {}
