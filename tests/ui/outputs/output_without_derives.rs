use nodecast::prelude::*;

struct Region {
    left: u32,
}

#[derive(Outputs)]
struct Found {
    region: Region,
}

fn main() {}
