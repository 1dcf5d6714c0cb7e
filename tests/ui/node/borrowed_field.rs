use nodecast::prelude::*;

#[node]
struct Greet {
    who: &'static str,
}

fn main() {}
