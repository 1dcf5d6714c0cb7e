use nodecast::prelude::*;

#[node(description = "Blurs a picture.")]
struct Blur {
    image: Image,
}

fn main() {}
