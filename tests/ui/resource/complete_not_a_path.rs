use nodecast::prelude::*;

#[resource(uri = "kitchen://recipes/{dish}")]
struct Recipe {
    #[complete("dishes")]
    dish: String,
}

fn main() {}
