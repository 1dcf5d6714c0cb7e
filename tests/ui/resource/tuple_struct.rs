use nodecast::prelude::*;

#[resource(uri = "kitchen://recipes/{dish}")]
struct Recipe(String);

fn main() {}
