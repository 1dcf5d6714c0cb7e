use nodecast::prelude::*;

#[node]
struct Blur {
    #[config(number = 3, default = 3)]
    radius: u8,
}

fn main() {}
