use nodecast::prelude::*;

#[derive(Container)]
struct Memory {
    #[state(lifetme = "episode")]
    mood: LastWrite<String>,
}

fn main() {}
