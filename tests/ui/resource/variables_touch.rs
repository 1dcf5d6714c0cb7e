use nodecast::prelude::*;

#[resource(uri = "kitchen://{course}{dish}")]
struct Recipe {
    course: String,
    dish: String,
}

fn main() {}
