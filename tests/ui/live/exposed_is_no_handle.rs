use nodecast_live::prelude::*;

#[derive(Expose)]
struct CartView {
    total: u64,
}

fn main() {}
