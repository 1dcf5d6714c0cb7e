use nodecast::prelude::*;

#[node(meta("nodecast/waits" = true))]
struct Cook;

fn main() {}
