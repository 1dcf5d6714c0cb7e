use nodecast::prelude::*;

#[node]
struct Blur {
    #[config(default = "three")]
    radius: u32,
}

fn main() {}
