use nodecast::prelude::*;

#[node(read_olny)]
struct Greet {
    who: String,
}

fn main() {}
