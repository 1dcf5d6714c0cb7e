use nodecast::prelude::*;

#[nodeset(page_size = 0)]
#[derive(Default)]
struct Kitchen;

fn main() {}
