use nodecast::prelude::*;

#[node]
struct Greet {
    #[cfg(unix)]
    who: String,
}

fn main() {}
