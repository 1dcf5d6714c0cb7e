use nodecast::prelude::*;

#[derive(Outputs)]
struct Greeting {
    #[port(full_size)]
    text: String,
}

fn main() {}
