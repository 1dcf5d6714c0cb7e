use nodecast::prelude::*;

#[node]
struct Blur {
    #[config(label = "Radius")]
    radius: Option<u32>,
}

fn main() {}
