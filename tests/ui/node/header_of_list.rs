use nodecast::prelude::*;

#[node]
struct Probe {
    #[port(header = "Regions")]
    regions: Vec<String>,
}

fn main() {}
