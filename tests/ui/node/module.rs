use nodecast::prelude::*;

#[node]
mod probe {}

fn main() {}
