use nodecast::prelude::*;

#[resource(uri = "nodecast://menu")]
struct Menu;

fn main() {}
