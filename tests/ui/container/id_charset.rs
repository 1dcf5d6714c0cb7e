use nodecast::prelude::*;

#[derive(Container)]
#[container(id = "my.memory")]
struct Memory {
    mood: LastWrite<String>,
}

fn main() {}
