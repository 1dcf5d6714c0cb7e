use nodecast::prelude::*;

#[derive(Outputs)]
#[outputs(name = "greeting")]
struct Greeting {
    text: String,
}

fn main() {}
