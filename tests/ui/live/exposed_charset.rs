use nodecast_live::prelude::*;

#[derive(Expose)]
struct CartView {
    #[expose(rename = "total/net")]
    total: Memo<u64>,
}

fn main() {}
