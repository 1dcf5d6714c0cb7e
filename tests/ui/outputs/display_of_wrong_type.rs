use nodecast::prelude::*;

#[derive(Outputs)]
struct Greeting {
    #[display(image_viewer)]
    text: String,
}

fn main() {}
