use nodecast::prelude::*;

#[node]
struct Blur {
    #[config(select("box", "gauss", "box"), default = "box")]
    kernel: String,
}

fn main() {}
