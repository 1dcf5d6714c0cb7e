use nodecast::prelude::*;

#[resource(uri = "kitchen://menu", cache_scope = "shared")]
struct Menu;

fn main() {}
