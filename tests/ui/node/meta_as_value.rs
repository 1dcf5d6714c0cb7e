use nodecast::prelude::*;

#[node(meta = "com.example/team")]
struct Cook;

fn main() {}
