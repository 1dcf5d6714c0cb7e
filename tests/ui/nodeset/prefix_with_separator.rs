use nodecast::prelude::*;

#[nodeset(prefix = "my_")]
#[derive(Default)]
struct Greeter;

fn main() {}
