use nodecast::prelude::*;

#[node]
struct Blur {
    #[config(slider(min = 0.0, max = 1.0, step = f32::NAN), default = 0.5)]
    share: f32,
}

fn main() {}
