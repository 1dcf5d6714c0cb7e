use nodecast::prelude::*;

#[derive(Outputs)]
struct Greeting {
    #[config(default = 1)]
    count: u32,
}

fn main() {}
