use nodecast::prelude::*;

#[node]
struct Probe {
    #[port(header = "Region")]
    from: String,
    #[port(header = "region")]
    to: String,
}

fn main() {}
