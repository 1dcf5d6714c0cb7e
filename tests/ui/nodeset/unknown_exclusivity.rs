use nodecast::prelude::*;

#[nodeset(exclusive = "call")]
#[derive(Default)]
struct Greeter;

fn main() {}
