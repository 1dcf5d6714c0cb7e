use nodecast::prelude::*;

const RADIUS: u32 = 3;

#[node]
struct Blur {
    #[config(default = RADIUS)]
    radius: u32,
}

fn main() {}
