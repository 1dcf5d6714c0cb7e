use nodecast::prelude::*;

#[node]
struct Blur {
    #[config(slider(min = 0, max = 300), default = 1)]
    radius: u8,
}

fn main() {}
