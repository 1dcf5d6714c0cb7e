use nodecast::prelude::*;

#[nodeset(modern = "reject")]
#[derive(Default)]
struct Greeter;

fn main() {}
