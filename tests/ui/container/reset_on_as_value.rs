use nodecast::prelude::*;

#[derive(Container)]
struct Memory {
    #[state(reset_on = "moved")]
    mood: LastWrite<String>,
}

fn main() {}
