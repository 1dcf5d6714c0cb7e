use nodecast_live::prelude::*;

#[derive(Expose)]
struct CartView {
    #[expose(skip, node)]
    total: Memo<u64>,
}

fn main() {}
