use nodecast::prelude::*;

#[nodeset]
struct Greeter {
    greeting: String,
}

fn main() {}
