use nodecast::prelude::*;

#[derive(Container)]
struct Memory {
    #[state(name = "")]
    mood: LastWrite<String>,
}

fn main() {}
