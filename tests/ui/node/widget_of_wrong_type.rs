use nodecast::prelude::*;

#[node]
struct Blur {
    #[config(toggle, default = true)]
    radius: u32,
}

fn main() {}
