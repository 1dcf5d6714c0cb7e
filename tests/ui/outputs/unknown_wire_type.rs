use nodecast::prelude::*;

#[derive(Outputs)]
struct Greeting {
    #[port(wire = "VIDEO")]
    film: String,
}

fn main() {}
