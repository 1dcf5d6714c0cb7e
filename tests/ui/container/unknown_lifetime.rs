use nodecast::prelude::*;

#[derive(Container)]
struct Memory {
    #[state(lifetime = "epsode")]
    mood: LastWrite<String>,
}

fn main() {}
