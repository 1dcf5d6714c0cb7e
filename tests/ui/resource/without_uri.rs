use nodecast::prelude::*;

#[resource]
struct Menu;

fn main() {}
