use nodecast::prelude::*;

#[node]
struct Blend {
    strength: Image,
    #[config(default = 0.5, name = "strength")]
    factor: f32,
}

fn main() {}
