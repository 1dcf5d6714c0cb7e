use nodecast::prelude::*;

#[derive(Container)]
struct Memory;

fn main() {}
