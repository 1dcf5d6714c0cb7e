use nodecast_live::prelude::*;

#[derive(Expose)]
enum CartView {
    Total { total: Memo<u64> },
}

fn main() {}
