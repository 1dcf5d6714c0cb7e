use nodecast::prelude::*;

#[resource(uri = "kitchen://recipes/{dish}")]
struct Recipe {
    #[complete]
    #[complete]
    dish: String,
}

fn main() {}
