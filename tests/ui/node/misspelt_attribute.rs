use nodecast::prelude::*;

#[node]
struct Blur {
    #[confg(slider(min = 0, max = 9), default = 1)]
    radius: u32,
}

fn main() {}
