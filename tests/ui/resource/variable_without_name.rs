use nodecast::prelude::*;

#[resource(uri = "kitchen://recipes/{}")]
struct Recipe {
    dish: String,
}

fn main() {}
