use nodecast::prelude::*;

#[nodeset]
struct Greeter<'a> {
    greeting: &'a str,
}

fn main() {}
