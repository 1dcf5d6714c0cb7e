use nodecast::prelude::*;

#[node(icons("pot.svg"))]
struct Cook;

fn main() {}
