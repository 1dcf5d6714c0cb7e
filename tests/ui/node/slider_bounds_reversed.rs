use nodecast::prelude::*;

#[node]
struct Blur {
    #[config(slider(min = 9, max = -9), default = 0)]
    shift: i32,
}

fn main() {}
