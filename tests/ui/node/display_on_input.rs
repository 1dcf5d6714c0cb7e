use nodecast::prelude::*;

#[node]
struct Probe {
    #[display(image_viewer)]
    picture: Image,
}

fn main() {}
