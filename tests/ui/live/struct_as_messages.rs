use nodecast_live::prelude::*;

#[derive(Message)]
struct AddItem {
    sku: String,
}

fn main() {}
