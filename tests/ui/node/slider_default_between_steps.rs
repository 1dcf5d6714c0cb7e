use nodecast::prelude::*;

#[node]
struct Blur {
    #[config(slider(min = 0.0, max = 1.0, step = 0.1), default = 0.25)]
    share: f32,
}

fn main() {}
