use nodecast::prelude::*;

#[node]
struct Blur {
    #[config(default = 1, section = "modle")]
    radius: u32,
}

fn main() {}
