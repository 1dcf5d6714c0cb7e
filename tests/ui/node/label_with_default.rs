use nodecast::prelude::*;

#[node]
struct Blur {
    #[config(label, default = "Larger is slower")]
    hint: (),
}

fn main() {}
