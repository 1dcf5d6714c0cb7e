use nodecast::prelude::*;

#[node]
struct Blur {
    #[config(select(7), default = 7)]
    radius: u8,
}

fn main() {}
