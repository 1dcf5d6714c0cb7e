use nodecast::prelude::*;

#[node(meta("com.example/team" = "pastry", "com.example/team" = "soup"))]
struct Cook;

fn main() {}
