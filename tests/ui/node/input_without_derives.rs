use nodecast::prelude::*;

struct Region {
    left: u32,
}

#[node]
struct Crop {
    image: Image,
    region: Option<Region>,
}

fn main() {}
