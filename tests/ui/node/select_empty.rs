use nodecast::prelude::*;

#[node]
struct Blur {
    #[config(select(), default = "box")]
    kernel: String,
}

fn main() {}
