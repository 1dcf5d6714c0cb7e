use nodecast::prelude::*;

#[node(icons(pot))]
struct Cook;

fn main() {}
