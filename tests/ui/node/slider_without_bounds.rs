use nodecast::prelude::*;

#[node]
struct Blur {
    #[config(slider, default = 0)]
    shift: i32,
}

fn main() {}
