use nodecast_live::prelude::*;

#[derive(Expose)]
struct CartView(Memo<u64>);

fn main() {}
