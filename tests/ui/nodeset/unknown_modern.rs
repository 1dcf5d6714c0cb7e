use nodecast::prelude::*;

#[nodeset(exclusive, modern = "refuse")]
#[derive(Default)]
struct Greeter;

fn main() {}
