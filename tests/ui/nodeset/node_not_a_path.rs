use nodecast::prelude::*;

#[nodeset(nodes("Hello"))]
#[derive(Default)]
struct Greeter;

fn main() {}
