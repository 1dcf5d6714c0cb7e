use nodecast::prelude::*;

#[node]
struct Greet(String);

fn main() {}
