use nodecast::prelude::*;

#[derive(Container)]
struct Memory {
    #[state(lifetime = "custom")]
    mood: LastWrite<String>,
}

fn main() {}
