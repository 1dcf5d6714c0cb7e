use nodecast::prelude::*;

#[node]
struct Cook {
    #[complete]
    dish: String,
}

fn main() {}
