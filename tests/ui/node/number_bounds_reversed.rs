use nodecast::prelude::*;

#[node]
struct Blur {
    #[config(number(min = 9, max = 1), default = 3)]
    radius: u8,
}

fn main() {}
