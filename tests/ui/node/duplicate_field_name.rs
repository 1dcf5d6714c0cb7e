use nodecast::prelude::*;

#[node]
struct Blend {
    over: Image,
    #[port(name = "over")]
    under: Image,
}

fn main() {}
