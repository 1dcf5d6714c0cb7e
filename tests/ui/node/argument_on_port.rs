use nodecast::prelude::*;

#[node]
struct Cook {
    #[argument(title = "Dish")]
    dish: String,
}

fn main() {}
