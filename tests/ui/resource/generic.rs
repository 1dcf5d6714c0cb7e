use nodecast::prelude::*;

#[resource(uri = "kitchen://recipes/{dish}")]
struct Recipe<T> {
    dish: T,
}

fn main() {}
