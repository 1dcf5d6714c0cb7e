use nodecast::prelude::*;

#[resource(uri = "kitchen://recipes{?dish}")]
struct Recipe {
    dish: String,
}

fn main() {}
