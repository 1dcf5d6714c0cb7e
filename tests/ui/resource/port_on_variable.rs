use nodecast::prelude::*;

#[resource(uri = "kitchen://recipes/{dish}")]
struct Recipe {
    #[port(title = "Dish")]
    dish: String,
}

fn main() {}
