use nodecast::prelude::*;

#[nodeset(panel)]
#[derive(Default)]
struct Robot;

fn main() {}
