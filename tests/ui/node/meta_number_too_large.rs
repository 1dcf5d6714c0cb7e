use nodecast::prelude::*;

#[node(meta("com.example/level" = 18446744073709551616))]
struct Cook;

fn main() {}
