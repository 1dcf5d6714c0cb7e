use nodecast::prelude::*;

#[nodeset(sessions = "requires")]
#[derive(Default)]
struct Greeter;

fn main() {}
