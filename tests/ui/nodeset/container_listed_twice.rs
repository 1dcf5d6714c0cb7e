use nodecast::prelude::*;

#[nodeset(containers(Memory, Memory))]
#[derive(Default)]
struct Robot;

#[derive(Container)]
struct Memory {
    mood: LastWrite<String>,
}

fn main() {}
