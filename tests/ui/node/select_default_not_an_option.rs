use nodecast::prelude::*;

#[node]
struct Blur {
    #[config(select("box", "gauss" = "Gaussian"), default = "gaus")]
    kernel: String,
}

fn main() {}
