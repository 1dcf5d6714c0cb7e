use nodecast::prelude::*;

#[node]
struct Drive {
    #[port(wire = "LIST[IMAG]")]
    frames: Vec<Image>,
}

fn main() {}
