use nodecast::prelude::*;

#[node]
struct Größe;

fn main() {}
