use nodecast::prelude::*;

#[node]
struct Blur {
    #[config(slider(min = 0, max = 4, step = 5), default = 0)]
    radius: u32,
}

fn main() {}
