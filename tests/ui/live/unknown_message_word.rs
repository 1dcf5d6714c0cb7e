use nodecast_live::prelude::*;

#[derive(Message)]
enum CartMsg {
    #[message(renam = "put_item")]
    AddItem { sku: String },
}

fn main() {}
