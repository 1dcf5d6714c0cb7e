use nodecast::prelude::*;

#[node]
struct Blur {
    #[config(default = 1e999)]
    share: f64,
}

fn main() {}
