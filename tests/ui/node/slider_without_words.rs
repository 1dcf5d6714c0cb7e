use nodecast::prelude::*;

#[node]
struct Blur {
    #[config(slider(0.0, max = 1.0), default = 0.5)]
    share: f32,
}

fn main() {}
