use nodecast::prelude::*;

#[node]
struct Blur {
    #[port(optional)]
    share: f32,
}

fn main() {}
