use nodecast::prelude::*;

#[resource(url = "kitchen://menu")]
struct Menu;

fn main() {}
