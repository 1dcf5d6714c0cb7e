use nodecast::prelude::*;

#[node]
struct Probe {
    #[port(header = "The Region")]
    region: String,
}

fn main() {}
