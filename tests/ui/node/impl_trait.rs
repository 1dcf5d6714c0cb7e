use nodecast::prelude::*;

#[node]
struct Probe {
    text: impl ToString,
}

fn main() {}
