use nodecast::prelude::*;

#[nodeset(panel = "Robot")]
#[derive(Default)]
struct Robot;

fn main() {}
