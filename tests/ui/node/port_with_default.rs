use nodecast::prelude::*;

#[node]
struct Blur {
    #[port(default = 0.5)]
    share: f32,
}

fn main() {}
