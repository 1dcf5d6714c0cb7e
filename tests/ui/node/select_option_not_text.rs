use nodecast::prelude::*;

#[node]
struct Blur {
    #[config(select("box", gauss), default = "box")]
    kernel: String,
}

fn main() {}
