use nodecast::prelude::*;

#[node]
struct Blur {
    #[config(number)]
    radius: u32,
}

fn main() {}
