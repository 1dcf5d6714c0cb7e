use nodecast::prelude::*;

#[derive(Outputs)]
struct Greeting {
    text: String,
    #[port(name = "text")]
    spoken: String,
}

fn main() {}
