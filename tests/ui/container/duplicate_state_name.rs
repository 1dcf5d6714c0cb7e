use nodecast::prelude::*;

#[derive(Container)]
struct Memory {
    mood: LastWrite<String>,
    #[state(name = "mood")]
    feeling: LastWrite<String>,
}

fn main() {}
