use nodecast::prelude::*;

#[derive(Outputs)]
struct Greeting<'a> {
    text: &'a str,
}

fn main() {}
