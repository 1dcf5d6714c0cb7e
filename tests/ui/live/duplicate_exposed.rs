use nodecast_live::prelude::*;

#[derive(Expose)]
struct CartView {
    total: Memo<u64>,
    #[expose(rename = "total")]
    sum: Memo<u64>,
}

fn main() {}
