use nodecast::prelude::*;

#[derive(Container)]
struct Memory {
    #[state(initial("a", "b"))]
    mood: LastWrite<String>,
}

fn main() {}
