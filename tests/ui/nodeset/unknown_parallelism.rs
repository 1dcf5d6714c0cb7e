use nodecast::prelude::*;

#[nodeset(parallelism = "replicate")]
#[derive(Default)]
struct Greeter;

fn main() {}
