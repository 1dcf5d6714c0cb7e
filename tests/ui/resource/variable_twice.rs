use nodecast::prelude::*;

#[resource(uri = "kitchen://{dish}/{dish}")]
struct Recipe {
    dish: String,
}

fn main() {}
