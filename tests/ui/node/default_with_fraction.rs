use nodecast::prelude::*;

#[node]
struct Blur {
    #[config(default = 1.5)]
    radius: u32,
}

fn main() {}
