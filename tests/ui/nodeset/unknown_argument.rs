use nodecast::prelude::*;

#[nodeset(node(Hello))]
#[derive(Default)]
struct Greeter;

fn main() {}
