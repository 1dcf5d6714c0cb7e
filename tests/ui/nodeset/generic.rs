use nodecast::prelude::*;

#[nodeset]
struct Greeter<T> {
    greeting: T,
}

fn main() {}
