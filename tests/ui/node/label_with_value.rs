use nodecast::prelude::*;

#[node]
struct Blur {
    #[config(label)]
    hint: String,
}

fn main() {}
