use nodecast::prelude::*;

#[node]
struct Blur {
    #[config(default = 1, unset_label = "automatic")]
    radius: u32,
}

fn main() {}
