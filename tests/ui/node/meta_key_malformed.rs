use nodecast::prelude::*;

#[node(meta("the team" = "pastry"))]
struct Cook;

fn main() {}
