use nodecast::prelude::*;

#[nodeset(resources = "Menu")]
#[derive(Default)]
struct Kitchen;

fn main() {}
