use nodecast::prelude::*;

#[node]
struct Probe {
    #[port(header = "")]
    region: String,
}

fn main() {}
