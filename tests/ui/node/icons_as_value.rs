use nodecast::prelude::*;

#[node(icons = "https://example.com/pot.svg")]
struct Cook;

fn main() {}
