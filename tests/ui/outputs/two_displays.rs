use nodecast::prelude::*;

#[derive(Outputs)]
struct Greeting {
    #[display(image_viewer, log_list)]
    picture: Image,
}

fn main() {}
