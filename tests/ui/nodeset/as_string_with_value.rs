use nodecast::prelude::*;

#[nodeset(as_string = false)]
#[derive(Default)]
struct Greeter;

fn main() {}
