use nodecast::prelude::*;

#[derive(Outputs)]
enum Greeting {
    Short,
    Long,
}

fn main() {}
