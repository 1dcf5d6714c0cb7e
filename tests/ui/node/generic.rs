use nodecast::prelude::*;

#[node]
struct Greet<T> {
    who: T,
}

fn main() {}
