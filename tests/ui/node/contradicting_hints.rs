use nodecast::prelude::*;

#[node(read_only, destructive)]
struct Erase {
    path: String,
}

fn main() {}
