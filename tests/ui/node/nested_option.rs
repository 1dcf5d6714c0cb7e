use nodecast::prelude::*;

#[node]
struct Greet {
    who: Option<Option<String>>,
}

fn main() {}
