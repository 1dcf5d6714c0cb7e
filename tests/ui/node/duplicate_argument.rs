use nodecast::prelude::*;

#[node(read_only, title = "Probe", read_only)]
struct Probe;

fn main() {}
