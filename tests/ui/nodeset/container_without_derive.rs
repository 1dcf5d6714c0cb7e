use nodecast::prelude::*;

#[nodeset(containers(Memory))]
#[derive(Default)]
struct Robot;

struct Memory;

fn main() {}
