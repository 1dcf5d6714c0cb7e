use nodecast::prelude::*;

#[nodeset(containers = "Memory")]
#[derive(Default)]
struct Robot;

fn main() {}
