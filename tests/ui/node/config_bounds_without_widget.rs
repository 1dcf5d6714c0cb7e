use nodecast::prelude::*;

#[node]
struct Blur {
    #[config(min = 0.0, default = 0.5)]
    share: f32,
}

fn main() {}
