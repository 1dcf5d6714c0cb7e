use nodecast::prelude::*;

#[node(task = "optonal")]
struct Cook;

fn main() {}
