use nodecast::prelude::*;

#[node]
struct Blur {
    #[config(number, slider(min = 0, max = 9), default = 1)]
    radius: u32,
}

fn main() {}
