use nodecast::prelude::*;

#[node]
struct Blur {
    #[config(default = 300)]
    radius: u8,
}

fn main() {}
