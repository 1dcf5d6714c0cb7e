use nodecast::prelude::*;

#[resource(uri = "kitchen://recipes/{dish}")]
struct Recipe {
    dish: Option<String>,
}

fn main() {}
