use nodecast_live::prelude::*;

#[derive(Expose)]
struct CartView<T> {
    total: Memo<T>,
}

fn main() {}
