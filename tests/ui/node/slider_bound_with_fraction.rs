use nodecast::prelude::*;

#[node]
struct Blur {
    #[config(slider(min = 0.5, max = 8), default = 1)]
    radius: u8,
}

fn main() {}
