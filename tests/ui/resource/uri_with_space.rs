use nodecast::prelude::*;

#[resource(uri = "kitchen://menu of today")]
struct Menu;

fn main() {}
