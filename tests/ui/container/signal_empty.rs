use nodecast::prelude::*;

#[derive(Container)]
struct Memory {
    #[state(reset_on(""))]
    mood: LastWrite<String>,
}

fn main() {}
