use nodecast::prelude::*;

#[derive(Container)]
struct Memory {
    mood: LastWrite<Mood>,
}

struct Mood;

fn main() {}
