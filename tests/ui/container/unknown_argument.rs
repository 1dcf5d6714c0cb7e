use nodecast::prelude::*;

#[derive(Container)]
#[container(name = "mem")]
struct Memory {
    mood: LastWrite<String>,
}

fn main() {}
