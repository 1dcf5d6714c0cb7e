use nodecast::prelude::*;

#[resource(uri = "kitchen://{course}/{dish}")]
struct Recipe {
    dish: String,
}

fn main() {}
