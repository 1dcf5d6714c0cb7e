use nodecast::prelude::*;

#[nodeset(containers(Memory, Notes))]
#[derive(Default)]
struct Robot;

#[derive(Container)]
struct Memory {
    mood: LastWrite<String>,
}

#[derive(Container)]
#[container(id = "memory")]
struct Notes {
    mood: LastWrite<String>,
}

fn main() {}
