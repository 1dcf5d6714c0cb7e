use nodecast::prelude::*;

#[derive(Container)]
struct Memory {
    #[state(name = "__ndarray__")]
    mood: LastWrite<String>,
}

fn main() {}
