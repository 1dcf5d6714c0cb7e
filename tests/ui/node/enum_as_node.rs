use nodecast::prelude::*;

#[node]
enum Mode {
    Fast,
    Exact,
}

fn main() {}
