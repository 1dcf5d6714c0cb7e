use nodecast::prelude::*;

#[derive(Container)]
enum Memory {
    Mood(LastWrite<String>),
}

fn main() {}
