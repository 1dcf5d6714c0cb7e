use nodecast::prelude::*;

#[node(name = "cut out")]
struct CutOut {
    image: Image,
}

fn main() {}
