use nodecast::prelude::*;

#[node]
struct Blur {
    #[config(default = 1)]
    #[port(title = "Radius")]
    radius: u32,
}

fn main() {}
