use nodecast::prelude::*;

#[nodeset(exclusive, sessions = "kept")]
#[derive(Default)]
struct Greeter;

fn main() {}
