use nodecast::prelude::*;

#[node]
struct Probe {
    #[port(full_size)]
    image: Image,
}

fn main() {}
