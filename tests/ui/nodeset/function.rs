use nodecast::prelude::*;

#[nodeset]
fn greeter() {}

fn main() {}
