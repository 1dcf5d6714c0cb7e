use nodecast::prelude::*;

#[nodeset]
#[derive(Default)]
struct Health;

fn main() {}
