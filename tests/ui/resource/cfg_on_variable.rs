use nodecast::prelude::*;

#[resource(uri = "kitchen://recipes/{dish}")]
struct Recipe {
    #[cfg(unix)]
    dish: String,
}

fn main() {}
