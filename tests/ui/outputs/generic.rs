use nodecast::prelude::*;

#[derive(Outputs)]
struct Greeting<T> {
    text: T,
}

fn main() {}
