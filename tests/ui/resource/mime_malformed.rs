use nodecast::prelude::*;

#[resource(uri = "kitchen://menu", mime = "markdown")]
struct Menu;

fn main() {}
