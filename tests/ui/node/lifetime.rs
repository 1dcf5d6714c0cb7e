use nodecast::prelude::*;

#[node]
struct Greet<'a> {
    who: &'a str,
}

fn main() {}
