use nodecast::prelude::*;

#[resource(uri = "kitchen://recipes/{dish}")]
struct Recipe {
    #[serde(default)]
    dish: String,
}

fn main() {}
